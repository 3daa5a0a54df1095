// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/kernels/cpu/cpu_kernels.h"

namespace kvist::kernels {

/// Numbers that share a scale and a minimum in the codes that the CPU kernels read.
inline constexpr std::int64_t kCodedGroup = 32;

/// Rows of one KV head that are coded one by one. Without a table: for every 32 channels their codes, then for each of
/// these its scale and its minimum in float16. With a table of 16 numbers: all codes, then the row's length in
/// float16, and a code stands for its number in the table times the length; three bits are the codes' lower two and
/// then their third.
struct RowCodes {
    const std::byte* codes;  ///< of slot 0
    std::int64_t bytes;      ///< from one slot to the next
    int bits;                ///< 2, 4 or 8; 1 to 4 with a table
    const float* table;
};

/// Up to kSlotBlock entries of one KV head in order, each key and value as codes or as a plain row.
///
/// A coded group of keys is 32 rows: for each channel the codes of its rows, then for each channel its scale and its
/// minimum in float16. Codes that stand together fill n bytes: code i lies in byte i % n at bit `bits` · (i / n).
struct CodedBlock {
    std::int64_t first;             ///< entry
    std::int64_t count;             ///< entries
    const std::byte* keyGroups[2];  ///< two, one and null, or none: then keys are rows
    std::uint32_t keyRows[2];       ///< which rows of a group are entries
    const std::int32_t* keySlots;   ///< of the entries whose keys are coded rows, the first `codedKeys`
    std::int64_t codedKeys;
    const void* keys;                ///< plain keys of the other entries
    const std::int32_t* valueSlots;  ///< of the entries whose values are coded, the first `codedValues`
    std::int64_t codedValues;
    const void* values;  ///< plain values of the other entries
};

/// Attention of one KV head's group for a tile of consecutive queries over some blocks. Of `base` everything but
/// keys, values, begin and end counts; its scratch is attentionScratch() floats.
struct CodedAttentionPiece {
    AttentionPiece base;
    const CodedBlock* blocks;
    std::int64_t blockCount;
    int groupBits;  ///< of grouped keys: 2, 4 or 8
    RowCodes keyRows;
    RowCodes valueRows;
};

}  // namespace kvist::kernels
