// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/attend_entries.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/zeros.h>

#include <cmath>

#include "engine/cache/coded_blocks.h"

namespace kvist {
namespace {

kernels::AttentionResult attendCoded(const LayerCache& cache, kernels::AttentionCall call) {
    const at::Tensor queries = call.queries;  // [chunk, query_heads, head_dim]
    const std::span<const std::int64_t> held = call.held;
    const auto kvHeads = static_cast<std::int64_t>(held.size());
    const std::int64_t chunk = queries.size(0);
    const std::int64_t group = queries.size(1) / kvHeads;
    const std::int64_t width = group * queries.size(2);
    kernels::AttentionResult result;
    result.context = at::empty({chunk, kvHeads * width}, queries.options());
    // Queries are turned to the keys where that takes no longer rows.
    const auto turns = [&](const at::Tensor& basis) { return basis.defined() && basis.size(0) == queries.size(2); };
    const at::Tensor ofKeys = cache.codedKeys().basis();
    const at::Tensor ofValues = cache.codedValues().basis();
    for (std::int64_t head = 0; head < kvHeads; ++head) {
        call.queries = queries.narrow(1, head * group, group);
        call.keys = (turns(ofKeys) ? cache.codedKeys().turnedRows(head) : cache.codedKeys().rows(head)).unsqueeze(0);
        call.values =
            (turns(ofValues) ? cache.codedValues().turnedRows(head) : cache.codedValues().rows(head)).unsqueeze(0);
        if (turns(ofKeys)) {
            const auto type = call.keys.scalar_type();
            call.queries = at::matmul(call.queries.to(type), ofKeys.t().to(type));
        }
        call.held = held.subspan(static_cast<std::size_t>(head), 1);
        const kernels::AttentionResult own = kernels::attention(call);
        at::Tensor context = own.context;
        if (turns(ofValues)) {
            context = at::matmul(context.to(call.values.scalar_type()).view({chunk, group, -1}),
                                 ofValues.to(call.values.scalar_type()))
                          .view({chunk, width});
        }
        result.context.narrow(1, head * width, width).copy_(context);
        if (call.wantsMass) {
            if (!result.mass.defined()) {
                result.mass = at::zeros({kvHeads, cache.mostHeld()}, own.mass.options());
            }
            result.mass[head].narrow(0, 0, own.mass.size(1)).copy_(own.mass[0]);
        }
    }
    return result;
}

}  // namespace

kernels::AttentionResult attendEntries(const LayerCache& cache, const at::Tensor& queries,
                                       std::span<const std::int64_t> held, bool wantsMass) {
    kernels::AttentionCall call{.queries = queries,
                                .keys = {},
                                .values = {},
                                .held = held,
                                .scale = 1.0 / std::sqrt(static_cast<double>(queries.size(2))),
                                .wantsMass = wantsMass};
    if (cache.isCoded()) {
        if (auto coded = codedBlocks(cache, queries, held)) {
            coded->wantsMass = wantsMass;
            kernels::AttentionResult result = kernels::codedAttentionCpu(*coded, kernels::cpuKernels());
            if (const at::Tensor basis = cache.codedValues().basis(); basis.defined()) {
                result.context = at::matmul(result.context.view({queries.size(0), queries.size(1), -1}), basis)
                                     .view({queries.size(0), -1})
                                     .to(queries.scalar_type());
            }
            return result;
        }
        return attendCoded(cache, std::move(call));
    }
    call.keys = cache.keys();
    call.values = cache.values();
    return kernels::attention(call);
}

}  // namespace kvist
