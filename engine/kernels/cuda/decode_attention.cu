// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/cuda/decode_attention.h"

#include "engine/kernels/cuda/decode_kernels.cuh"

#include <cuda_runtime.h>

#include <algorithm>

namespace kvist::kernels::cuda {

namespace {

int processors() {
    int device = 0;
    int count = 1;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device);
    return count;
}

std::int64_t longest(const KvistDecodeAttention& call) {
    return *std::max_element(call.lengths, call.lengths + call.kvHeads);
}

DecodePlan makePlan(const KvistDecodeAttention& call) {
    DecodePlan plan{};
    plan.group = call.group;
    plan.tiles = (call.group + kMaxTileRows - 1) / kMaxTileRows;
    plan.tileRows = (call.group + plan.tiles - 1) / plan.tiles;
    plan.splits = splitsOf(longest(call), call.kvHeads, plan.tiles, processors());
    plan.laneCount = lanesOf(call.headDim, call.storedType == kKvistFloat32 ? 4 : 8);
    std::copy(call.lengths, call.lengths + call.kvHeads, plan.lengths);
    return plan;
}

std::int64_t partialsSize(const KvistDecodeAttention& call, const DecodePlan& plan) {
    return call.kvHeads * call.group * plan.splits * partialSize(call.headDim);
}

template <class T, class Q, int Rows>
void launchRows(const KvistDecodeAttention& call, const DecodePlan& plan, const Workspace& workspace,
                cudaStream_t stream) {
    if constexpr (Rows > 1) {
        if (plan.tileRows < Rows)
            return launchRows<T, Q, Rows - 1>(call, plan, workspace, stream);
    }
    const dim3 blocks(plan.splits, call.kvHeads, plan.tiles);
    const std::size_t shared = kThreads / plan.laneCount * partialSize(call.headDim) * sizeof(float);
    attendSplit<T, Q, Rows><<<blocks, kThreads, shared, stream>>>(call, plan, workspace);
}

template <class T, class Q>
void launch(const KvistDecodeAttention& call, const DecodePlan& plan, const Workspace& workspace, cudaStream_t stream) {
    constexpr int kSlotThreads = 256;
    const int queryHeads = call.kvHeads * call.group;
    const auto blocks = static_cast<unsigned>((longest(call) + kSlotThreads - 1) / kSlotThreads);
    launchRows<T, Q, kMaxTileRows>(call, plan, workspace, stream);
    combineSplits<Q><<<queryHeads, 64, 0, stream>>>(call, plan, workspace);
    if (call.mass)
        sumMass<<<dim3(blocks, call.kvHeads), kSlotThreads, call.group * sizeof(SoftmaxState), stream>>>(call, plan,
                                                                                                         workspace);
    if (call.scores)
        addScores<<<blocks, kSlotThreads, queryHeads * sizeof(SoftmaxState), stream>>>(call, plan, workspace);
}

}  // namespace

}  // namespace kvist::kernels::cuda

using namespace kvist::kernels::cuda;

std::int64_t kvistDecodeWorkspace(const KvistDecodeAttention* call) {
    const std::int64_t logits = call->massStride * call->kvHeads * call->group;
    return partialsSize(*call, makePlan(*call)) + logits;
}

const char* kvistDecodeAttention(const KvistDecodeAttention* call) {
    const DecodePlan plan = makePlan(*call);
    const bool keepsLogits = call->mass || call->scores;
    const Workspace workspace{call->workspace, keepsLogits ? call->workspace + partialsSize(*call, plan) : nullptr};
    const auto stream = static_cast<cudaStream_t>(call->stream);
    if (call->queryType == call->storedType) {
        switch (call->storedType) {
            case kKvistFloat32:
                launch<float, float>(*call, plan, workspace, stream);
                break;
            case kKvistBFloat16:
                launch<__nv_bfloat16, __nv_bfloat16>(*call, plan, workspace, stream);
                break;
            case kKvistFloat16:
                launch<__half, __half>(*call, plan, workspace, stream);
                break;
            default:
                return "unknown element type";
        }
    } else if (call->queryType == kKvistFloat32 && call->storedType == kKvistBFloat16) {
        launch<__nv_bfloat16, float>(*call, plan, workspace, stream);
    } else if (call->queryType == kKvistFloat32 && call->storedType == kKvistFloat16) {
        launch<__half, float>(*call, plan, workspace, stream);
    } else {
        return "queries of a type that differs from the entries'";
    }
    const cudaError_t error = cudaGetLastError();
    return error == cudaSuccess ? nullptr : cudaGetErrorString(error);
}
