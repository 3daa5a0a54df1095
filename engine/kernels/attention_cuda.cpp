// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/attention_cuda.h"

#include "engine/kernels/cuda/decode_attention.h"
#include "engine/kernels/cuda/decode_plan.h"
#include "engine/kernels/cuda_module.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <algorithm>
#include <vector>

namespace kvist::kernels {

namespace {

bool isElement(at::ScalarType type) {
    return type == at::kFloat || type == at::kBFloat16 || type == at::kHalf;
}

int elementOf(at::ScalarType type) {
    return type == at::kFloat ? kKvistFloat32 : type == at::kBFloat16 ? kKvistBFloat16 : kKvistFloat16;
}

/// [kv_heads, capacity, head_dim] that can be read 16 bytes at a time.
bool hasWholeVectors(const at::Tensor& entries) {
    const auto isWhole = [&](std::int64_t elements) { return elements * entries.element_size() % 16 == 0; };
    return reinterpret_cast<std::uintptr_t>(entries.const_data_ptr()) % 16 == 0 && entries.stride(2) == 1 &&
           isWhole(entries.stride(0)) && isWhole(entries.stride(1)) && isWhole(entries.size(2)) &&
           entries.size(2) * entries.element_size() <= 32 * 16;
}

bool takesScores(const AttentionCall& call) {
    return call.scores.scalar_type() == at::kFloat && call.scores.stride(0) == 1 &&
           std::all_of(call.held.begin(), call.held.end(),
                       [&](std::int64_t held) { return held == call.held.front(); });
}

}  // namespace

bool hasCudaDecodeAttention(const AttentionCall& call) {
    const at::ScalarType query = call.queries.scalar_type();
    const at::ScalarType stored = call.keys.scalar_type();
    return call.queries.is_cuda() && call.queries.size(0) == 1 && call.queries.stride(2) == 1 && isElement(query) &&
           isElement(stored) && (query == stored || query == at::kFloat) && call.values.scalar_type() == stored &&
           call.keys.size(0) <= cuda::kMaxKvHeads && hasWholeVectors(call.keys) && hasWholeVectors(call.values) &&
           (!call.scores.defined() || takesScores(call));
}

AttentionResult decodeAttentionCuda(const AttentionCall& call, const CudaModule& module) {
    const std::int64_t kvHeads = call.keys.size(0);
    const std::int64_t queryHeads = call.queries.size(1);
    std::vector<std::int64_t> lengths(call.held.begin(), call.held.end());
    for (std::int64_t& length : lengths)
        ++length;  // the token itself
    const std::int64_t longest = *std::max_element(lengths.begin(), lengths.end());

    const auto floats = call.queries.options().dtype(at::kFloat);
    AttentionResult result;
    result.context = at::empty({1, queryHeads * call.queries.size(2)}, call.queries.options());
    if (call.wantsMass)
        result.mass = at::zeros({kvHeads, longest}, floats);

    KvistDecodeAttention job{};
    job.queryType = elementOf(call.queries.scalar_type());
    job.storedType = elementOf(call.keys.scalar_type());
    job.kvHeads = static_cast<int>(kvHeads);
    job.group = static_cast<int>(queryHeads / kvHeads);
    job.headDim = static_cast<int>(call.queries.size(2));
    job.scale = static_cast<float>(call.scale);
    job.lengths = lengths.data();
    job.queries = call.queries.const_data_ptr();
    job.queryStride = call.queries.stride(1);
    job.keys = call.keys.const_data_ptr();
    job.keyHeadStride = call.keys.stride(0);
    job.keySlotStride = call.keys.stride(1);
    job.values = call.values.const_data_ptr();
    job.valueHeadStride = call.values.stride(0);
    job.valueSlotStride = call.values.stride(1);
    job.context = result.context.mutable_data_ptr();
    job.mass = call.wantsMass ? result.mass.mutable_data_ptr<float>() : nullptr;
    job.scores = call.scores.defined() ? call.scores.mutable_data_ptr<float>() : nullptr;
    job.massStride = job.mass || job.scores ? longest : 0;

    const c10::impl::VirtualGuardImpl device(at::kCUDA);
    const at::Tensor workspace = at::empty({module.decodeWorkspace(job)}, floats);
    job.workspace = workspace.mutable_data_ptr<float>();
    job.stream = device.getStream(call.queries.device()).native_handle();
    module.decodeAttention(job);
    return result;
}

}  // namespace kvist::kernels
