// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/gguf_config.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "engine/api/engine_error.h"
#include "engine/files/gguf_parts.h"
#include "engine/runtime/file_bytes.h"

namespace kvist {
namespace {

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

ModelConfig readGgufConfig(const std::filesystem::path& file) {
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
        throwUnreadable(metadata.path(), "tensor token_embd.weight is missing or no matrix");
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
