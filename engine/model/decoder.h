// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <vector>

#include "engine/model/decoder_layer.h"
#include "engine/model/model_config.h"
#include "engine/model/rotary_embedding.h"

namespace kvist {

class Weights;

/// What forward() is to look at besides the tokens.
struct ForwardOptions {
    std::stop_token stop;                           ///< looked at before every layer
    bool checksFinite = false;                      ///< fail with the layer where NaN or infinity appears
    std::function<void(std::int64_t)> onLayerDone;  ///< number of layers done
};

/// The Qwen2 decoder. Weights never change after construction. Owns no cache, samples and prunes nothing.
class Decoder {
public:
    /// Copies the weights into the form; looks at the stop token between layers.
    Decoder(const ModelConfig& config, const Weights& weights, const WeightForm& form, std::stop_token stop = {});

    /// Hidden states after the final norm, [tokens, hidden], of tokens at positions first, first + 1, …
    /// Throws EngineError(InvalidInput) for ids beyond the vocabulary, EngineError(Cancelled) after a stop
    /// request and EngineError(Numerical) as asked for in the options.
    at::Tensor forward(std::span<const std::int32_t> tokens, std::int64_t first, CacheAttention& cache,
                       const ForwardOptions& options = {}) const;

    /// The same for ids and positions [tokens], int64, on the decoder's device, where nothing is read back from:
    /// ids must be known to the vocabulary.
    at::Tensor forward(const at::Tensor& ids, const at::Tensor& positions, CacheAttention& cache) const;

    /// [rows, hidden] → [rows, vocabulary], in the decoder's type.
    at::Tensor logits(const at::Tensor& hidden) const;

    /// A layer's projection of the attention's context, [hidden, query_heads · head_dim].
    at::Tensor outputWeight(std::int64_t layer) const {
        return m_layers[static_cast<std::size_t>(layer)].attention().outputWeight();
    }

    const ModelConfig& config() const { return m_config; }
    at::ScalarType type() const { return m_embedding.scalar_type(); }
    at::Device device() const { return m_embedding.device(); }
    at::TensorOptions options() const { return m_embedding.options(); }

    /// Bytes of weights that one decode step reads: everything but the unused rows of the embedding.
    std::int64_t weightBytesPerStep() const;

private:
    ModelConfig m_config;
    at::Tensor m_embedding;  // [vocabulary, hidden]
    std::vector<DecoderLayer> m_layers;
    at::Tensor m_norm;       // [hidden]
    kernels::Matrix m_head;  // [vocabulary, hidden]; the embedding itself where tied and not in 8 bits
    RotaryEmbedding m_rotary;
};

}  // namespace kvist
