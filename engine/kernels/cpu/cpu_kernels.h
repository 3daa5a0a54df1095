// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/kernels/cpu/element.h"

#include <cstdint>
#include <span>

namespace kvist::kernels {

/// Slots that attention handles at a time; probabilities are kept in blocks of this many.
inline constexpr std::int64_t kSlotBlock = 64;

/// Rows of products: out[m][o] = Σ_i input[m][i] · weight[o][i] + bias[o], all of one element type; or, with scales,
/// of 8-bit weights: out[m][o] = scales[o] · Σ_i input[m][i] · weight[o][i] + bias[o].
struct LinearJob {
    Element type;               ///< of bias and output, and of the weight without scales
    std::int64_t rows;          ///< of the input, 1 to kMaxLinearRows
    std::int64_t in;            ///< length of the products
    std::int64_t weightStride;  ///< elements between rows of the weight
    std::int64_t outStride;     ///< elements between rows of the output
    const float* packedInput;   ///< from CpuKernels::packInput, rows · paddedDepth(in) floats
    const void* weight;
    const float* scales;  ///< of 8-bit rows, or null
    const void* bias;     ///< or null
    void* out;
};

inline constexpr std::int64_t kMaxLinearRows = 4;

/// Length of a packed input row: a multiple of two vectors of any width.
constexpr std::int64_t paddedDepth(std::int64_t in) {
    return (in + 31) / 32 * 32;
}

/// Attention of one KV head's group for a tile of consecutive queries over the slots [begin, end).
/// Row r of the tile is query r / group, head r % group. Logits are in units of log 2.
struct AttentionPiece {
    Element queryType;
    Element storedType;
    const void* queries;       ///< of the tile's first query and the group's first head
    std::int64_t queryStride;  ///< elements between queries
    std::int64_t headStride;   ///< elements between the group's heads
    const void* keys;          ///< of slot 0 of the KV head
    const void* values;
    std::int64_t keyStride;  ///< elements between slots
    std::int64_t valueStride;
    std::int64_t head;  ///< which KV head
    std::int64_t headDim;
    std::int64_t group;
    std::int64_t queryCount;
    std::int64_t begin;  ///< a multiple of kSlotBlock
    std::int64_t end;
    std::int64_t visible;  ///< slots that the tile's first query sees; each later query sees one more
    float scale;           ///< of the logits, with the factor log2(e)

    float* output;         ///< [rows, paddedHeadDim]: Σ probability · value, relative to `maximum`
    float* maximum;        ///< [rows]: largest logit, or -infinity where no slot was visible
    float* sum;            ///< [rows]: Σ probability relative to `maximum`
    float* probabilities;  ///< [blocks, rows, kSlotBlock] relative to `blockMaximum`, or null
    float* blockMaximum;   ///< [blocks, rows], or null
    float* scratch;        ///< attentionScratch(headDim, rows) floats
};

/// Head dimension of outputs and packed values: a multiple of the widest vector.
constexpr std::int64_t paddedHeadDim(std::int64_t headDim) {
    return (headDim + 15) / 16 * 16;
}

/// Laid out by PieceMemory (vector/attention.h).
constexpr std::int64_t attentionScratch(std::int64_t headDim, std::int64_t rows) {
    return 3 * kSlotBlock * paddedHeadDim(headDim) + rows * (paddedHeadDim(headDim) + kSlotBlock + 16);
}

/// Rows of the tile, brought together from the pieces of one head: context and final softmax terms.
struct AttentionFinish {
    const AttentionPiece* pieces;  ///< all of one KV head and tile
    std::int64_t pieceCount;
    std::int64_t rowBegin;
    std::int64_t rowEnd;
    void* context;  ///< as `queries`: of the tile's first query and the group's first head
    std::int64_t contextQueryStride;
    std::int64_t contextHeadStride;
    float* maximum;     ///< [rows]
    float* reciprocal;  ///< [rows]: 1 / Σ probability relative to `maximum`
};

struct CodedAttentionPiece;

/// The hot loops in one instruction set.
struct CpuKernels {
    const char* name;  ///< "avx512"
    /// A row of the input as linear() reads it: paddedDepth(in) floats.
    void (*packInput)(Element type, const void* input, std::int64_t in, float* packed);
    void (*linear)(const LinearJob& job, std::int64_t outBegin, std::int64_t outEnd);
    void (*attendPiece)(const AttentionPiece& piece);
    void (*finishAttention)(const AttentionFinish& finish);
    /// Adds the probability of each slot of the piece, summed over its rows, to mass[slot].
    void (*addMass)(const AttentionPiece& piece, const float* maximum, const float* reciprocal, float* mass);
    /// One row of `width` elements.
    void (*rmsNormRow)(Element type, const void* x, const void* weight, std::int64_t width, float eps, void* out);
    void (*siluMultiplyRow)(Element type, const void* gate, const void* up, std::int64_t width, void* out);
    /// Turns one head of 2 · half components in place.
    void (*rotateHead)(Element type, void* head, const float* cos, const float* sin, std::int64_t half);
    void (*attendCodedPiece)(const CodedAttentionPiece& piece);
    /// Multiplies by values[0] and adds values[1], `rounds` times in each lane of some vectors; their sum comes back in
    /// values[0]. Returns how many floating-point operations that took.
    std::int64_t (*multiplyAdds)(std::int64_t rounds, float* values);
};

/// The fastest implementation that this CPU runs; chosen once.
const CpuKernels& cpuKernels();

/// Every implementation that this CPU runs, the fastest first and the portable one last.
std::span<const CpuKernels* const> supportedCpuKernels();

}  // namespace kvist::kernels
