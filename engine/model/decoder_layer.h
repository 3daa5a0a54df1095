// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <string>

#include "engine/model/attention.h"
#include "engine/model/feed_forward.h"

namespace kvist {

/// One decoder layer: x + attention(norm(x)), then x + feed_forward(norm(x)).
class DecoderLayer {
public:
    DecoderLayer(const ModelConfig& config, const Weights& weights, std::int64_t index, const WeightForm& form);

    /// x [tokens, hidden] → [tokens, hidden].
    at::Tensor forward(const at::Tensor& x, const RotaryAngles& angles, CacheAttention& cache) const;

    const Attention& attention() const { return m_attention; }

    std::int64_t weightBytes() const {
        return m_attention.weightBytes() + m_feedForward.weightBytes() + m_inputNorm.nbytes() +
               m_postAttentionNorm.nbytes();
    }

private:
    DecoderLayer(const ModelConfig& config, const Weights& weights, std::int64_t index, const std::string& prefix,
                 const WeightForm& form);

    std::int64_t m_index;
    double m_eps;
    Attention m_attention;
    FeedForward m_feedForward;
    at::Tensor m_inputNorm;          // [hidden]
    at::Tensor m_postAttentionNorm;  // [hidden]
};

}  // namespace kvist
