// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/kernels/cuda/combine.h"
#include "engine/kernels/cuda/decode_attention.h"
#include "engine/kernels/cuda/elements.cuh"

namespace kvist::kernels::cuda {

/// Workspace of a call: partial results [queryHeads, splits], then, where mass or scores are wanted, logits
/// [queryHeads, massStride].
struct Workspace {
    float* partials;
    float* logits;
};

/// A team of laneCount neighbouring threads reads one slot at a time, 16 bytes a thread, and keeps the running
/// sums of the tile's rows in registers; teams of the block take turns with the slots of the split and are merged
/// at the end.
template <class T, class Q, int Rows>
__global__ void __launch_bounds__(kThreads)
    attendSplit(KvistDecodeAttention call, DecodePlan plan, Workspace workspace) {
    constexpr int kElements = Vector<T>::kElements;
    const int split = blockIdx.x;
    const int kvHead = blockIdx.y;
    const int firstRow = blockIdx.z * plan.tileRows;
    const int lane = threadIdx.x % plan.laneCount;
    const int team = threadIdx.x / plan.laneCount;
    const int teams = kThreads / plan.laneCount;
    const int component = lane * kElements;
    const bool reads = component < call.headDim;
    const SlotRange range = splitRange(plan.lengths[kvHead], plan.splits, split);

    float query[Rows][kElements] = {};
    float sums[Rows][kElements] = {};
    SoftmaxState states[Rows];
#pragma unroll
    for (int row = 0; row < Rows; ++row) {
        const int head = kvHead * plan.group + firstRow + row;
        if (reads && firstRow + row < plan.group) {
            const Q* from = static_cast<const Q*>(call.queries) + head * call.queryStride + component;
#pragma unroll
            for (int i = 0; i < kElements; ++i)
                query[row][i] = toFloat(from[i]) * call.scale;
        }
    }

    const T* keys = static_cast<const T*>(call.keys) + kvHead * call.keyHeadStride + component;
    const T* values = static_cast<const T*>(call.values) + kvHead * call.valueHeadStride + component;
    // Every thread of a warp takes every turn: the shuffles need them all.
    for (std::int64_t turn = range.begin; turn < range.end; turn += teams) {
        const std::int64_t slot = turn + team;
        const bool has = slot < range.end;
        Vector<T> key = {};
        Vector<T> value = {};
        if (has && reads) {
            key = loadVector(keys + slot * call.keySlotStride);
            value = loadVector(values + slot * call.valueSlotStride);
        }
#pragma unroll
        for (int row = 0; row < Rows; ++row) {
            float logit = 0.0F;
#pragma unroll
            for (int i = 0; i < kElements; ++i)
                logit += query[row][i] * key.values[i];
            for (int distance = plan.laneCount / 2; distance > 0; distance /= 2)
                logit += __shfl_xor_sync(0xffffffffU, logit, distance);
            if (has) {
                const SoftmaxState::Step step = states[row].add(logit);
#pragma unroll
                for (int i = 0; i < kElements; ++i)
                    sums[row][i] = sums[row][i] * step.factor + value.values[i] * step.weight;
                if (workspace.logits && lane == 0 && firstRow + row < plan.group) {
                    const int head = kvHead * plan.group + firstRow + row;
                    workspace.logits[head * call.massStride + slot] = logit;
                }
            }
        }
    }

    // One row at a time through shared memory, teams in order, so that equal inputs give equal bits.
    extern __shared__ float shared[];  // [teams, partialSize]
    const int size = static_cast<int>(partialSize(call.headDim));
#pragma unroll
    for (int row = 0; row < Rows; ++row) {
        float* own = shared + team * size;
        if (reads)
#pragma unroll
            for (int i = 0; i < kElements; ++i)
                own[component + i] = sums[row][i];
        if (lane == 0) {
            own[call.headDim] = states[row].maximum;
            own[call.headDim + 1] = states[row].sum;
        }
        __syncthreads();
        if (firstRow + row < plan.group) {
            const int head = kvHead * plan.group + firstRow + row;
            float* out = workspace.partials + partialOffset(head, split, plan.splits, call.headDim);
            const SoftmaxState state = combineStates(shared, teams, call.headDim);
            for (int c = threadIdx.x; c < call.headDim; c += kThreads)
                out[c] = combineComponent(shared, teams, call.headDim, c, state);
            if (threadIdx.x == 0) {
                out[call.headDim] = state.maximum;
                out[call.headDim + 1] = state.sum;
            }
        }
        __syncthreads();
    }
}

/// One block per query head.
template <class Q>
__global__ void combineSplits(KvistDecodeAttention call, DecodePlan plan, Workspace workspace) {
    const int head = blockIdx.x;
    const float* partials = workspace.partials + partialOffset(head, 0, plan.splits, call.headDim);
    const SoftmaxState state = combineStates(partials, plan.splits, call.headDim);
    Q* out = static_cast<Q*>(call.context) + static_cast<std::int64_t>(head) * call.headDim;
    for (int c = threadIdx.x; c < call.headDim; c += blockDim.x)
        fromFloat(combineComponent(partials, plan.splits, call.headDim, c, state) / state.sum, out + c);
}

/// A thread per slot; blockIdx.y is the KV head. `shared` holds the states of the group.
static __global__ void sumMass(KvistDecodeAttention call, DecodePlan plan, Workspace workspace) {
    extern __shared__ float shared[];
    auto* states = reinterpret_cast<SoftmaxState*>(shared);
    const int firstHead = blockIdx.y * plan.group;
    for (int row = threadIdx.x; row < plan.group; row += blockDim.x)
        states[row] = combineStates(workspace.partials + partialOffset(firstHead + row, 0, plan.splits, call.headDim),
                                    plan.splits, call.headDim);
    __syncthreads();
    const std::int64_t slot = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (slot < plan.lengths[blockIdx.y])
        call.mass[blockIdx.y * call.massStride + slot] =
            massOfSlot(workspace.logits + firstHead * call.massStride, call.massStride, slot, plan.group, states);
}

/// A thread per slot, which all heads hold. `shared` holds the states of all query heads.
static __global__ void addScores(KvistDecodeAttention call, DecodePlan plan, Workspace workspace) {
    extern __shared__ float shared[];
    auto* states = reinterpret_cast<SoftmaxState*>(shared);
    const int heads = call.kvHeads * plan.group;
    for (int head = threadIdx.x; head < heads; head += blockDim.x)
        states[head] = combineStates(workspace.partials + partialOffset(head, 0, plan.splits, call.headDim),
                                     plan.splits, call.headDim);
    __syncthreads();
    const std::int64_t slot = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (slot < plan.lengths[0])
        call.scores[slot] +=
            massOfSlot(workspace.logits, call.massStride, slot, heads, states) / static_cast<float>(heads);
}

}  // namespace kvist::kernels::cuda
