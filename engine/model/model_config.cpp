// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/model_config.h"

#include <initializer_list>

#include "engine/api/engine_error.h"
#include "engine/runtime/json_file.h"

namespace kvist {
namespace {

/// Checked access to the keys of one config.json.
class ConfigReader {
public:
    explicit ConfigReader(const std::filesystem::path& file) : m_file(file), m_json(readJsonObject(file)) {}

    ConfigReader object(const char* key) const {
        if (!m_json[key].is_object()) {
            fail(key, "an object");
        }
        return ConfigReader(m_file, m_json[key]);
    }

    std::int64_t count(const char* key) const { return count(key, value(key)); }

    std::int64_t count(const char* key, std::int64_t fallback) const {
        return isGiven(key) ? count(key, m_json[key]) : fallback;
    }

    double positive(const char* key, double fallback) const {
        if (!isGiven(key)) {
            return fallback;
        }
        const auto& number = m_json[key];
        if (!number.is_number() || !(number.get<double>() > 0)) {
            fail(key, "a positive number");
        }
        return number.get<double>();
    }

    bool flag(const char* key, bool fallback) const {
        if (!isGiven(key)) {
            return fallback;
        }
        if (!m_json[key].is_boolean()) {
            fail(key, "true or false");
        }
        return m_json[key].get<bool>();
    }

    std::string text(const char* key) const {
        return isGiven(key) && m_json[key].is_string() ? m_json[key].get<std::string>() : std::string();
    }

    bool isGiven(const char* key) const { return m_json.contains(key) && !m_json[key].is_null(); }
    const nlohmann::json& json() const { return m_json; }

    [[noreturn]] void fail(const char* key, const std::string& expected) const {
        const std::string given = m_json.contains(key) ? m_json[key].dump() : "missing";
        throw EngineError(ErrorKind::UnreadableFile,
                          m_file.string() + ": \"" + key + "\" is " + given + "; expected " + expected);
    }

    [[noreturn]] void refuse(const std::string& reason) const {
        throw EngineError(ErrorKind::UnsupportedModel, m_file.string() + ": " + reason);
    }

private:
    ConfigReader(const std::filesystem::path& file, nlohmann::json json) : m_file(file), m_json(std::move(json)) {}

    const nlohmann::json& value(const char* key) const {
        if (!isGiven(key)) {
            fail(key, "a whole number");
        }
        return m_json[key];
    }

    std::int64_t count(const char* key, const nlohmann::json& number) const {
        constexpr std::int64_t kLargest = std::int64_t{1} << 31;
        if (!number.is_number_integer() || number.get<std::int64_t>() < 1 || number.get<std::int64_t>() > kLargest) {
            fail(key, "a whole number from 1 to 2147483648");
        }
        return number.get<std::int64_t>();
    }

    std::filesystem::path m_file;
    nlohmann::json m_json;
};

std::string architectureOf(const ConfigReader& reader) {
    const auto& json = reader.json();
    if (json.contains("architectures") && json["architectures"].is_array() && !json["architectures"].empty() &&
        json["architectures"][0].is_string()) {
        return json["architectures"][0].get<std::string>();
    }
    return reader.text("model_type");
}

void checkArchitecture(const ConfigReader& reader, const std::string& architecture) {
    if (architecture != "Qwen2ForCausalLM" && architecture != "qwen2") {
        reader.refuse("the architecture is " + (architecture.empty() ? "not named" : architecture) +
                      "; Kvist runs Qwen2ForCausalLM (Qwen2 and Qwen2.5 text models)");
    }
    const std::string activation = reader.text("hidden_act");
    if (!activation.empty() && activation != "silu") {
        reader.refuse("\"hidden_act\" is " + activation + "; Qwen2 uses silu");
    }
    if (reader.flag("use_sliding_window", false)) {
        reader.refuse(
            "the model uses sliding-window attention, which this version does not run; set "
            "\"use_sliding_window\" to false to run it with full attention");
    }
    if (reader.isGiven("rope_scaling")) {
        reader.refuse(
            "the model scales its rotary embedding (\"rope_scaling\"), which this version does not run; "
            "remove the key to run it within its trained context");
    }
}

/// "rope_theta" at the top, as published folders have it, or inside "rope_parameters", as transformers 5 writes it.
double ropeThetaOf(const ConfigReader& reader) {
    if (!reader.isGiven("rope_parameters")) {
        return reader.positive("rope_theta", 10000.0);
    }
    const ConfigReader parameters = reader.object("rope_parameters");
    const std::string type = parameters.text("rope_type");
    if (!type.empty() && type != "default") {
        reader.refuse("the model scales its rotary embedding (\"rope_type\" is " + type +
                      "), which this version does not run; make it default to run it within its trained context");
    }
    return parameters.positive("rope_theta", 10000.0);
}

}  // namespace

ModelConfig readModelConfig(const std::filesystem::path& folder) {
    const ConfigReader reader(folder / "config.json");
    ModelConfig config;
    config.architecture = architectureOf(reader);
    checkArchitecture(reader, config.architecture);
    config.layers = reader.count("num_hidden_layers");
    config.queryHeads = reader.count("num_attention_heads");
    config.kvHeads = reader.count("num_key_value_heads", config.queryHeads);
    config.hiddenSize = reader.count("hidden_size");
    config.intermediateSize = reader.count("intermediate_size");
    config.vocabularySize = reader.count("vocab_size");
    config.maxPositions = reader.count("max_position_embeddings", 32768);
    config.headDim = reader.count("head_dim", config.hiddenSize / config.queryHeads);
    config.ropeTheta = ropeThetaOf(reader);
    config.rmsNormEps = reader.positive("rms_norm_eps", 1e-6);
    config.tiedEmbeddings = reader.flag("tie_word_embeddings", false);
    config.storedType = reader.text("torch_dtype");
    if (config.storedType.empty()) {
        config.storedType = reader.text("dtype");
    }
    if (config.queryHeads % config.kvHeads != 0) {
        reader.fail("num_key_value_heads", "a divisor of num_attention_heads, " + std::to_string(config.queryHeads));
    }
    if (config.headDim % 2 != 0) {
        reader.fail("head_dim", "an even number");
    }
    const auto& json = reader.json();
    if (json.contains("eos_token_id") && json["eos_token_id"].is_number_integer()) {
        config.endOfText = json["eos_token_id"].get<std::int64_t>();
    }
    return config;
}

}  // namespace kvist
