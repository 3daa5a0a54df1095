// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/tensor_check.h"

#include "engine/model/weights.h"

namespace kvist {

void checkTensors(const ModelConfig& config, const Weights& weights) {
    const std::int64_t hidden = config.hiddenSize;
    const std::int64_t inner = config.intermediateSize;
    const std::int64_t queries = config.queryHeads * config.headDim;
    const std::int64_t keys = config.kvHeads * config.headDim;
    weights.check("model.embed_tokens.weight", {config.vocabularySize, hidden});
    for (std::int64_t layer = 0; layer < config.layers; ++layer) {
        const std::string prefix = "model.layers." + std::to_string(layer) + ".";
        for (const auto& [name, rows] : {std::pair{"q_proj", queries}, {"k_proj", keys}, {"v_proj", keys}}) {
            weights.check(prefix + "self_attn." + name + ".weight", {rows, hidden});
            weights.check(prefix + "self_attn." + name + ".bias", {rows});
        }
        weights.check(prefix + "self_attn.o_proj.weight", {hidden, queries});
        weights.check(prefix + "mlp.gate_proj.weight", {inner, hidden});
        weights.check(prefix + "mlp.up_proj.weight", {inner, hidden});
        weights.check(prefix + "mlp.down_proj.weight", {hidden, inner});
        weights.check(prefix + "input_layernorm.weight", {hidden});
        weights.check(prefix + "post_attention_layernorm.weight", {hidden});
    }
    weights.check("model.norm.weight", {hidden});
    if (!config.tiedEmbeddings) {
        weights.check("lm_head.weight", {config.vocabularySize, hidden});
    }
}

}  // namespace kvist
