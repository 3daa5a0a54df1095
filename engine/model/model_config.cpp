// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/model_config.h"

#include <algorithm>

#include "engine/api/engine_error.h"
#include "engine/model/gguf_config.h"
#include "engine/runtime/file_bytes.h"
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

    double positive(const char* key) const { return positive(key, value(key)); }

    double positive(const char* key, double fallback) const {
        return isGiven(key) ? positive(key, m_json[key]) : fallback;
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
        throwUnreadable(m_file, std::string("\"") + key + "\" is " + given + "; expected " + expected);
    }

    [[noreturn]] void refuse(const std::string& reason) const {
        throw EngineError(ErrorKind::UnsupportedModel, m_file.string() + ": " + reason);
    }

private:
    ConfigReader(const std::filesystem::path& file, nlohmann::json json) : m_file(file), m_json(std::move(json)) {}

    const nlohmann::json& value(const char* key) const {
        if (!isGiven(key)) {
            fail(key, "a number");
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

    double positive(const char* key, const nlohmann::json& number) const {
        if (!number.is_number() || !(number.get<double>() > 0)) {
            fail(key, "a positive number");
        }
        return number.get<double>();
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
}

/// Every layer must see the whole cache. With "use_sliding_window" the layers from "max_window_layers" on do not;
/// transformers 5 lists the kind of each layer instead.
void checkSlidingWindow(const ConfigReader& reader, std::int64_t layers) {
    const std::string reason =
        "the model uses sliding-window attention, which this version does not run; set \"use_sliding_window\" to "
        "false and remove \"layer_types\" to run it with full attention";
    const auto& json = reader.json();
    if (json.contains("layer_types") && json["layer_types"].is_array()) {
        for (const auto& type : json["layer_types"]) {
            if (type != "full_attention") {
                reader.refuse("\"layer_types\" holds " + type.dump() + "; " + reason);
            }
        }
        return;
    }
    const bool hasNoWindow = json.contains("sliding_window") && json["sliding_window"].is_null();
    const bool comesAfterAll = json.contains("max_window_layers") && json["max_window_layers"].is_number_integer() &&
                               json["max_window_layers"].get<std::int64_t>() >= layers;
    if (reader.flag("use_sliding_window", false) && !hasNoWindow && !comesAfterAll) {
        reader.refuse(reason);
    }
}

/// "rope_theta" and "rope_scaling" at the top, as published folders have them, or both inside "rope_parameters", as
/// transformers 5 writes them.
void readRotary(const ConfigReader& reader, ModelConfig& config) {
    const bool isNew = reader.isGiven("rope_parameters");
    const ConfigReader parameters = isNew ? reader.object("rope_parameters") : reader;
    config.ropeTheta = parameters.positive("rope_theta", 10000.0);
    if (!isNew && !reader.isGiven("rope_scaling")) {
        return;
    }
    const ConfigReader scaling = isNew ? parameters : reader.object("rope_scaling");
    const std::string type = scaling.isGiven("rope_type") ? scaling.text("rope_type") : scaling.text("type");
    if (type == "default" || (isNew && type.empty())) {
        return;
    }
    if (type != "yarn") {
        reader.refuse("the model scales its rotary embedding (\"rope_scaling\" of type \"" + type +
                      "\"); of such only yarn is run; remove the key to run it within its trained context");
    }
    if (scaling.isGiven("mscale") || scaling.isGiven("mscale_all_dim")) {
        reader.refuse("\"rope_scaling\" gives \"mscale\", which Qwen2 models do not have");
    }
    YarnScaling yarn;
    yarn.factor = scaling.positive("factor");
    if (yarn.factor > YarnScaling::kLargestFactor) {
        scaling.fail("factor", "a number up to 1000");
    }
    yarn.originalPositions = scaling.count("original_max_position_embeddings", config.maxPositions);
    yarn.betaFast = scaling.positive("beta_fast", yarn.betaFast);
    yarn.betaSlow = scaling.positive("beta_slow", yarn.betaSlow);
    yarn.truncates = scaling.flag("truncate", true);
    if (scaling.isGiven("attention_factor")) {
        yarn.attentionFactor = scaling.positive("attention_factor");
    }
    config.maxPositions = std::max(config.maxPositions, yarn.reachedPositions());
    config.yarn = yarn;
}

}  // namespace

ModelConfig readModelConfig(const std::filesystem::path& model) {
    if (std::filesystem::is_regular_file(model)) {
        return readGgufConfig(model);
    }
    const ConfigReader reader(model / "config.json");
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
    readRotary(reader, config);
    checkSlidingWindow(reader, config.layers);
    config.rmsNormEps = reader.positive("rms_norm_eps", 1e-6);
    config.tiedEmbeddings = reader.flag("tie_word_embeddings", false);
    config.storedType = reader.text("torch_dtype");
    if (config.storedType.empty()) {
        config.storedType = reader.text("dtype");
    }
    if (config.queryHeads % config.kvHeads != 0) {
        reader.fail("num_key_value_heads", "a divisor of num_attention_heads, " + std::to_string(config.queryHeads));
    }
    if (config.headDim < 2 || config.headDim % 2 != 0) {
        reader.fail("head_dim", "an even number");
    }
    const auto& json = reader.json();
    if (json.contains("eos_token_id") && json["eos_token_id"].is_number_integer()) {
        config.endOfText = json["eos_token_id"].get<std::int64_t>();
    }
    return config;
}

}  // namespace kvist
