// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/kernels/cpu/cpu_kernels.h"

namespace kvist::kernels {

/// Numbers that share a scale and a minimum in the codes that the CPU kernels read.
inline constexpr std::int64_t kCodedGroup = 32;

/// Up to kSlotBlock entries of one KV head in order, each key and value as codes or as a plain row.
///
/// A coded group of keys is 32 rows: for each channel the codes of its rows, then for each channel its scale and its
/// minimum in float16. A coded value is one row: for every 32 channels their codes, then for each of these its scale
/// and minimum. Code i of 32 with b bits lies in byte i % (4 · b) at bit b · (i / (4 · b)).
struct CodedBlock {
    std::int64_t first;              ///< entry
    std::int64_t count;              ///< entries
    const std::byte* keyGroups[2];   ///< two, one and null, or none: then the keys are plain
    std::uint32_t keyRows[2];        ///< which rows of a group are entries
    const void* keys;                ///< plain keys of all entries
    const std::int32_t* valueSlots;  ///< of the entries whose values are coded, the first `codedValues`
    std::int64_t codedValues;
    const void* values;  ///< plain values of the other entries
};

/// Attention of one KV head's group for a tile of consecutive queries over some blocks. Of `base` everything but
/// keys, values, begin and end counts; its scratch is codedAttentionScratch() floats.
struct CodedAttentionPiece {
    AttentionPiece base;
    const CodedBlock* blocks;
    std::int64_t blockCount;
    int keyBits;  ///< 2, 4 or 8
    int valueBits;
    const std::byte* valueCodes;  ///< of slot 0 of the head
    std::int64_t valueBytes;      ///< from one slot to the next
};

constexpr std::int64_t codedAttentionScratch(std::int64_t headDim, std::int64_t rows) {
    return attentionScratch(headDim, rows) + 2 * paddedHeadDim(headDim);
}

}  // namespace kvist::kernels
