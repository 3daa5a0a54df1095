// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/calibration/distant_attention.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/zeros.h>

#include <cmath>
#include <limits>

namespace kvist {
namespace {

/// Queries whose rows of attention are in memory at a time.
constexpr std::int64_t kBlock = 128;

}  // namespace

DistantAttention::DistantAttention(std::int64_t layers, std::int64_t kvHeads, std::int64_t sinks, std::int64_t recent)
    : m_sinks(sinks),
      m_recent(recent),
      m_sums(at::zeros({layers, kvHeads}, at::kDouble)),
      m_queries(static_cast<std::size_t>(layers)) {}

void DistantAttention::add(std::int64_t layer, const Projection& projection, const RotaryAngles&) {
    const std::int64_t tokens = projection.queries.size(0);
    const std::int64_t heads = projection.keys.size(1);
    const std::int64_t group = projection.queries.size(1) / heads;
    const std::int64_t size = projection.queries.size(2);
    const auto type = projection.keys.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
    const at::Tensor keys = projection.keys.to(type).permute({1, 2, 0}).contiguous();  // [heads, head_dim, tokens]
    const at::Tensor positions = at::arange(tokens, keys.options().dtype(at::kLong));
    for (std::int64_t first = m_sinks + m_recent; first < tokens; first += kBlock) {
        const std::int64_t rows = std::min(kBlock, tokens - first);
        const at::Tensor queries =
            projection.queries.narrow(0, first, rows).to(type).transpose(0, 1).reshape({heads, group * rows, size});
        const at::Tensor logits =
            at::matmul(queries, keys).div_(std::sqrt(static_cast<double>(size))).view({heads, group, rows, tokens});
        const at::Tensor own = positions.narrow(0, first, rows).unsqueeze(1);  // [rows, 1]
        const at::Tensor hidden = positions.unsqueeze(0).gt(own);
        const at::Tensor attention = logits.masked_fill(hidden, -std::numeric_limits<double>::infinity()).softmax(-1);
        const at::Tensor isDistant = positions.unsqueeze(0).ge(m_sinks) & positions.unsqueeze(0).le(own - m_recent);
        const at::Tensor distant = attention.masked_fill(isDistant.logical_not(), 0).sum(-1);  // [heads, group, rows]
        m_sums.select(0, layer).add_(distant.mean(1).sum(1).to(at::kCPU, at::kDouble));
        m_queries[static_cast<std::size_t>(layer)] += rows;
    }
}

at::Tensor DistantAttention::values() const {
    return (m_sums / static_cast<double>(m_queries.front())).to(at::kFloat);
}

}  // namespace kvist
