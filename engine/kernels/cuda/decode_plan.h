// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/kernels/cuda/host_device.h"

#include <cstdint>

namespace kvist::kernels::cuda {

/// Rows (query heads of one group) that one block of threads handles with registers alone.
inline constexpr int kMaxTileRows = 8;
inline constexpr int kMaxKvHeads = 64;
inline constexpr int kThreads = 128;
/// Slots that are worth a block of threads.
inline constexpr std::int64_t kMinSlotsOfSplit = 64;
inline constexpr int kMaxSplits = 64;

/// How the slots of each KV head are spread over blocks of threads.
struct DecodePlan {
    int group;      ///< query heads per KV head
    int tileRows;   ///< of the group that a block handles, at most kMaxTileRows
    int tiles;      ///< per group
    int splits;     ///< per KV head, for every head alike
    int laneCount;  ///< threads that share a slot: a power of two up to a warp
    std::int64_t lengths[kMaxKvHeads];
};

struct SlotRange {
    std::int64_t begin;
    std::int64_t end;
};

/// Slots of one split: equal shares, the same for a length whatever the other heads hold. May be empty.
KVIST_HOST_DEVICE inline SlotRange splitRange(std::int64_t length, int splits, int split) {
    return {length * split / splits, length * (split + 1) / splits};
}

/// Threads of a warp that read one slot of headDim elements, `vectorElements` each.
constexpr int lanesOf(int headDim, int vectorElements) {
    int lanes = 1;
    while (lanes * vectorElements < headDim)
        lanes *= 2;
    return lanes;
}

/// Splits that keep `processors` busy without leaving a block less than kMinSlotsOfSplit slots of the longest head.
constexpr int splitsOf(std::int64_t longest, int kvHeads, int tiles, int processors) {
    const std::int64_t wanted = (2 * processors + kvHeads * tiles - 1) / (kvHeads * tiles);
    const std::int64_t useful = (longest + kMinSlotsOfSplit - 1) / kMinSlotsOfSplit;
    std::int64_t splits = wanted < useful ? wanted : useful;
    splits = splits < kMaxSplits ? splits : kMaxSplits;
    return static_cast<int>(splits > 1 ? splits : 1);
}

/// Floats of one partial result: the sums of headDim values, the largest logit, the sum of weights.
KVIST_HOST_DEVICE constexpr std::int64_t partialSize(int headDim) {
    return headDim + 2;
}

/// Where the partial result of a query head's split lies among all of them.
KVIST_HOST_DEVICE constexpr std::int64_t partialOffset(int queryHead, int split, int splits, int headDim) {
    return (static_cast<std::int64_t>(queryHead) * splits + split) * partialSize(headDim);
}

}  // namespace kvist::kernels::cuda
