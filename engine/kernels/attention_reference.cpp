// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/attention.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <limits>

namespace kvist::kernels {

namespace {

/// Elements of one block of probabilities, so that long chunks over long caches need no more than 64 MiB.
constexpr std::int64_t kBlockElements = std::int64_t{16} << 20;

}  // namespace

AttentionResult attentionReference(const AttentionCall& call) {
    const std::int64_t chunk = call.queries.size(0);
    const std::int64_t queryHeads = call.queries.size(1);
    const std::int64_t headDim = call.queries.size(2);
    const std::int64_t kvHeads = call.keys.size(0);
    const std::int64_t group = queryHeads / kvHeads;
    const auto type = call.queries.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
    const auto working = call.queries.options().dtype(type);
    const std::int64_t longest = call.held.empty() ? 0 : *std::max_element(call.held.begin(), call.held.end());

    AttentionResult result;
    result.context = at::empty({chunk, queryHeads, headDim}, call.queries.options());
    if (call.wantsMass)
        result.mass = at::zeros({kvHeads, longest + chunk}, working);

    for (std::int64_t head = 0; head < kvHeads; ++head) {
        const std::int64_t held = call.held[static_cast<std::size_t>(head)];
        const std::int64_t rows = std::clamp<std::int64_t>(kBlockElements / (group * (held + chunk)), 1, chunk);
        for (std::int64_t first = 0; first < chunk; first += rows) {
            const std::int64_t count = std::min(rows, chunk - first);
            const std::int64_t visible = held + first + count;  // of the block's last query
            const at::Tensor queries =
                call.queries.narrow(0, first, count).narrow(1, head * group, group).to(type);  // [count, group, d]
            const at::Tensor keys = call.keys.select(0, head).narrow(0, 0, visible).to(type);  // [visible, d]
            const at::Tensor values = call.values.select(0, head).narrow(0, 0, visible).to(type);

            at::Tensor scores = at::matmul(queries, keys.t()).mul_(call.scale);  // [count, group, visible]
            const auto indices = working.dtype(at::kLong);
            const at::Tensor slot = at::arange(visible, indices);
            const at::Tensor last = at::arange(held + first, visible, indices).unsqueeze(1);
            scores.masked_fill_(slot.gt(last).unsqueeze(1), -std::numeric_limits<double>::infinity());
            const at::Tensor probabilities = at::softmax(scores, -1);

            result.context.narrow(0, first, count)
                .narrow(1, head * group, group)
                .copy_(at::matmul(probabilities, values));
            if (call.wantsMass)
                result.mass.select(0, head).narrow(0, 0, visible).add_(probabilities.sum({0, 1}));
        }
    }
    result.context = result.context.view({chunk, queryHeads * headDim});
    return result;
}

}  // namespace kvist::kernels
