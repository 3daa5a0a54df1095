// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/feed_forward.h"

#include "engine/kernels/linear.h"
#include "engine/kernels/silu_multiply.h"
#include "engine/model/weights.h"

namespace kvist {

FeedForward::FeedForward(const ModelConfig& config, const Weights& weights, const std::string& prefix,
                         at::TensorOptions options) {
    const std::int64_t inner = config.intermediateSize;
    m_gateUpWeight = at::empty({2 * inner, config.hiddenSize}, options);
    weights.copyTo(prefix + "gate_proj.weight", m_gateUpWeight.narrow(0, 0, inner));
    weights.copyTo(prefix + "up_proj.weight", m_gateUpWeight.narrow(0, inner, inner));
    m_downWeight = at::empty({config.hiddenSize, inner}, options);
    weights.copyTo(prefix + "down_proj.weight", m_downWeight);
}

at::Tensor FeedForward::forward(const at::Tensor& x) const {
    return kernels::linear(kernels::siluMultiply(kernels::linear(x, m_gateUpWeight, {})), m_downWeight, {});
}

}  // namespace kvist
