// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/calibration/query_statistics.h"

#include <ATen/ops/hypot.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>

namespace kvist {

QueryStatistics::QueryStatistics(std::int64_t layers, std::int64_t queryHeads, std::int64_t headDim)
    : m_sums(at::zeros({layers, queryHeads, 3, headDim / 2}, at::kDouble)),
      m_tokens(static_cast<std::size_t>(layers)) {}

void QueryStatistics::add(std::int64_t layer, const Projection& projection, const RotaryAngles& angles) {
    const at::Tensor queries = projection.queries.to(at::kDouble);  // [tokens, query_heads, head_dim]
    const std::int64_t bands = queries.size(2) / 2;
    const at::Tensor x = queries.narrow(2, 0, bands);
    const at::Tensor y = queries.narrow(2, bands, bands);
    const at::Tensor cos = angles.cos.to(at::kDouble).unsqueeze(1);
    const at::Tensor sin = angles.sin.to(at::kDouble).unsqueeze(1);
    // The inverse of the rotation, also where the angles carry a factor.
    const at::Tensor factor = cos * cos + sin * sin;
    const at::Tensor real = (x * cos + y * sin) / factor;
    const at::Tensor imaginary = (y * cos - x * sin) / factor;
    const at::Tensor sums = at::stack({real.sum(0), imaginary.sum(0), at::hypot(real, imaginary).sum(0)}, 1);
    m_sums.select(0, layer).add_(sums.to(at::kCPU));
    m_tokens[static_cast<std::size_t>(layer)] += queries.size(0);
}

at::Tensor QueryStatistics::values() const {
    const auto tokens = static_cast<double>(m_tokens.front());  // every layer sees every token
    return (m_sums / tokens).to(at::kFloat);
}

}  // namespace kvist
