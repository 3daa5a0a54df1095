// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/feed_forward.h"

#include "engine/kernels/linear.h"
#include "engine/kernels/silu_multiply.h"
#include "engine/model/weights.h"

namespace kvist {

FeedForward::FeedForward(const ModelConfig& config, const Weights& weights, const std::string& prefix,
                         const WeightForm& form) {
    const std::int64_t inner = config.intermediateSize;
    const at::Tensor gateUp = at::empty({2 * inner, config.hiddenSize}, form.options);
    weights.copyTo(prefix + "gate_proj.weight", gateUp.narrow(0, 0, inner));
    weights.copyTo(prefix + "up_proj.weight", gateUp.narrow(0, inner, inner));
    m_gateUpWeight = form.matrix(gateUp);
    const at::Tensor down = at::empty({config.hiddenSize, inner}, form.options);
    weights.copyTo(prefix + "down_proj.weight", down);
    m_downWeight = form.matrix(down);
}

at::Tensor FeedForward::forward(const at::Tensor& x) const {
    return kernels::linear(kernels::siluMultiply(kernels::linear(x, m_gateUpWeight, {})), m_downWeight, {});
}

}  // namespace kvist
