// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/gguf_model.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>

#include "engine/api/engine_error.h"

namespace kvist {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kDigits = 5;

[[noreturn]] void fail(const fs::path& path, const std::string& what) {
    throw EngineError(ErrorKind::UnreadableFile, path.string() + ": " + what);
}

bool areDigits(const std::string& text) {
    return text.size() == kDigits &&
           std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); });
}

std::string partName(const std::string& stem, int part, int count) {
    char suffix[32];
    std::snprintf(suffix, sizeof suffix, "-%05d-of-%05d.gguf", part, count);
    return stem + suffix;
}

/// Whether the metadata of a part agrees with its place among the others.
void checkPart(const GgufFile& file, std::size_t index, std::size_t count) {
    const GgufMetadata& metadata = file.metadata();
    const std::int64_t own = metadata.wholeNumber("split.no").value_or(0);
    const std::int64_t all = std::max<std::int64_t>(1, metadata.wholeNumber("split.count").value_or(1));
    if (all != static_cast<std::int64_t>(count) || own != static_cast<std::int64_t>(index)) {
        metadata.fail("split.count", "says part " + std::to_string(own + 1) + " of " + std::to_string(all) +
                                         ", the file is opened as part " + std::to_string(index + 1) + " of " +
                                         std::to_string(count) + "; keep the names of the parts as published");
    }
}

double positive(const GgufMetadata& metadata, const std::string& key, double fallback) {
    const double number = metadata.number(key).value_or(fallback);
    if (!(number > 0) || !std::isfinite(number)) {
        metadata.fail(key, "is " + std::to_string(number) + "; expected a positive number");
    }
    return number;
}

std::optional<YarnScaling> readYarn(const GgufMetadata& metadata) {
    const std::string prefix = "qwen2.rope.scaling.";
    const std::string type(metadata.text(prefix + "type").value_or("none"));
    if (type == "none" || type.empty()) {
        return std::nullopt;
    }
    if (type != "yarn") {
        throw EngineError(ErrorKind::UnsupportedModel, metadata.path().string() +
                                                           ": the model scales its rotary embedding (\"" + prefix +
                                                           "type\" is " + type + "); of such only yarn is run");
    }
    YarnScaling yarn;
    yarn.factor = positive(metadata, prefix + "factor", 1);
    if (yarn.factor > YarnScaling::kLargestFactor) {
        metadata.fail(prefix + "factor", "is " + std::to_string(yarn.factor) + "; expected a number up to 1000");
    }
    yarn.originalPositions = metadata.count(prefix + "original_context_length");
    yarn.betaFast = positive(metadata, prefix + "yarn_beta_fast", yarn.betaFast);
    yarn.betaSlow = positive(metadata, prefix + "yarn_beta_slow", yarn.betaSlow);
    // llama.cpp multiplies the usual scale by this factor.
    const double factor = positive(metadata, prefix + "attn_factor", 1);
    if (factor != 1) {
        yarn.attentionFactor = factor * yarn.scale();
    }
    return yarn;
}

}  // namespace

std::vector<fs::path> ggufParts(const fs::path& file) {
    // "…-00002-of-00003.gguf"
    const std::string name = file.filename().string();
    const std::string ending = ".gguf";
    const std::size_t tail = 2 * kDigits + 5 + ending.size();
    if (!name.ends_with(ending) || name.size() <= tail) {
        return {file};
    }
    const std::size_t at = name.size() - tail;
    const std::string part = name.substr(at + 1, kDigits);
    const std::string count = name.substr(at + kDigits + 5, kDigits);
    if (name[at] != '-' || !areDigits(part) || name.substr(at + 1 + kDigits, 4) != "-of-" || !areDigits(count) ||
        std::stoi(count) < 1) {
        return {file};
    }
    std::vector<fs::path> parts;
    for (int i = 1; i <= std::stoi(count); ++i) {
        parts.push_back(file.parent_path() / partName(name.substr(0, at), i, std::stoi(count)));
    }
    return parts;
}

std::vector<std::unique_ptr<const GgufFile>> openGguf(const fs::path& file) {
    const std::vector<fs::path> parts = ggufParts(file);
    std::vector<std::unique_ptr<const GgufFile>> files;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (!fs::exists(parts[i])) {
            fail(parts[i], "part " + std::to_string(i + 1) + " of " + std::to_string(parts.size()) +
                               " is missing; download it beside the others");
        }
        files.push_back(std::make_unique<const GgufFile>(parts[i]));
        checkPart(*files.back(), i, parts.size());
    }
    std::size_t tensors = 0;
    for (const auto& part : files) {
        tensors += part->tensors().size();
    }
    const auto expected = files.front()->metadata().wholeNumber("split.tensors.count");
    if (expected && *expected != static_cast<std::int64_t>(tensors)) {
        files.front()->metadata().fail("split.tensors.count", "is " + std::to_string(*expected) + ", the parts hold " +
                                                                  std::to_string(tensors) + " tensors");
    }
    return files;
}

ModelConfig readGgufConfig(const fs::path& file) {
    const auto files = openGguf(file);
    const GgufMetadata& metadata = files.front()->metadata();
    const std::string architecture(metadata.text("general.architecture").value_or(""));
    if (architecture != "qwen2") {
        throw EngineError(ErrorKind::UnsupportedModel, metadata.path().string() + ": the architecture is " +
                                                           (architecture.empty() ? "not named" : architecture) +
                                                           "; Kvist runs qwen2 (Qwen2 and Qwen2.5 text models)");
    }
    const auto find = [&](const std::string& name) -> const StoredTensor* {
        for (const auto& part : files) {
            if (const auto found = part->tensors().find(name); found != part->tensors().end()) {
                return &found->second;
            }
        }
        return nullptr;
    };
    const StoredTensor* embedding = find("model.embed_tokens.weight");
    if (embedding == nullptr || embedding->shape.size() != 2) {
        fail(metadata.path(), "tensor token_embd.weight is missing or no matrix");
    }
    ModelConfig config;
    config.architecture = "Qwen2ForCausalLM";
    config.layers = metadata.count("qwen2.block_count");
    config.queryHeads = metadata.count("qwen2.attention.head_count");
    config.kvHeads = metadata.has("qwen2.attention.head_count_kv") ? metadata.count("qwen2.attention.head_count_kv")
                                                                   : config.queryHeads;
    config.hiddenSize = metadata.count("qwen2.embedding_length");
    config.intermediateSize = metadata.count("qwen2.feed_forward_length");
    config.maxPositions = metadata.count("qwen2.context_length");
    config.headDim = metadata.has("qwen2.attention.key_length") ? metadata.count("qwen2.attention.key_length")
                                                                : config.hiddenSize / config.queryHeads;
    config.ropeTheta = positive(metadata, "qwen2.rope.freq_base", 10000.0);
    config.rmsNormEps = positive(metadata, "qwen2.attention.layer_norm_rms_epsilon", 1e-6);
    config.yarn = readYarn(metadata);
    if (config.yarn) {
        config.maxPositions = std::max(config.maxPositions, config.yarn->reachedPositions());
    }
    config.vocabularySize = embedding->shape[0];
    config.tiedEmbeddings = find("lm_head.weight") == nullptr;
    config.endOfText = metadata.wholeNumber("tokenizer.ggml.eos_token_id");
    if (config.queryHeads % config.kvHeads != 0) {
        metadata.fail("qwen2.attention.head_count_kv",
                      "is no divisor of the " + std::to_string(config.queryHeads) + " attention heads");
    }
    if (config.headDim < 2 || config.headDim % 2 != 0) {
        metadata.fail("qwen2.embedding_length",
                      "gives heads of " + std::to_string(config.headDim) + " elements; expected an even number");
    }
    return config;
}

}  // namespace kvist
