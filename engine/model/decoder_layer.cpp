// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/decoder_layer.h"

#include "engine/kernels/rms_norm.h"
#include "engine/model/weights.h"

namespace kvist {

DecoderLayer::DecoderLayer(const ModelConfig& config, const Weights& weights, std::int64_t index,
                           const WeightForm& form)
    : DecoderLayer(config, weights, index, "model.layers." + std::to_string(index) + ".", form) {}

DecoderLayer::DecoderLayer(const ModelConfig& config, const Weights& weights, std::int64_t index,
                           const std::string& prefix, const WeightForm& form)
    : m_index(index),
      m_eps(config.rmsNormEps),
      m_attention(config, weights, prefix + "self_attn.", form),
      m_feedForward(config, weights, prefix + "mlp.", form),
      m_inputNorm(at::empty({config.hiddenSize}, form.options)),
      m_postAttentionNorm(at::empty({config.hiddenSize}, form.options)) {
    weights.copyTo(prefix + "input_layernorm.weight", m_inputNorm);
    weights.copyTo(prefix + "post_attention_layernorm.weight", m_postAttentionNorm);
}

at::Tensor DecoderLayer::forward(const at::Tensor& x, const RotaryAngles& angles, CacheAttention& cache) const {
    const at::Tensor attended =
        x + m_attention.forward(kernels::rmsNorm(x, m_inputNorm, m_eps), angles, m_index, cache);
    return attended + m_feedForward.forward(kernels::rmsNorm(attended, m_postAttentionNorm, m_eps));
}

}  // namespace kvist
