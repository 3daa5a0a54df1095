// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/kernels/cpu/cpu_kernels.h"
#include "engine/kernels/cpu/vector/convert.h"

namespace kvist::kernels::KVIST_ISA {

/// 2^(from - to) where nothing was seen (from = -infinity) counts nothing.
inline float weightOf(float from, float to) {
    return from == -__builtin_inff() ? 0.0F : exp2(broadcast(from - to))[0];
}

template <class T>
inline void finishRow(const AttentionFinish& finish, std::int64_t row) {
    const AttentionPiece* pieces = finish.pieces;
    const std::int64_t count = finish.pieceCount;
    const std::int64_t headDim = pieces[0].headDim;
    const std::int64_t padded = paddedHeadDim(headDim);

    float maximum = pieces[0].maximum[row];
    for (std::int64_t p = 1; p < count; ++p)
        maximum = pieces[p].maximum[row] > maximum ? pieces[p].maximum[row] : maximum;
    float sum = 0.0F;
    for (std::int64_t p = 0; p < count; ++p)
        sum += pieces[p].sum[row] * weightOf(pieces[p].maximum[row], maximum);
    finish.maximum[row] = maximum;
    finish.reciprocal[row] = 1.0F / sum;

    // The first piece's output takes up the others'.
    float* total = pieces[0].output + row * padded;
    for (std::int64_t p = 0; count > 1 && p < count; ++p) {
        const Float weight = broadcast(weightOf(pieces[p].maximum[row], maximum));
        const float* output = pieces[p].output + row * padded;
        for (std::int64_t i = 0; i < padded; i += kWidth)
            store(total + i, load(output + i) * weight + (p == 0 ? Float{} : load(total + i)));
    }
    const Float reciprocal = broadcast(finish.reciprocal[row]);
    T* out = static_cast<T*>(finish.context) + row / pieces[0].group * finish.contextQueryStride +
             row % pieces[0].group * finish.contextHeadStride;
    forEachVector(headDim,
                  [&](std::int64_t i, std::int64_t some) { storeUpTo(out + i, load(total + i) * reciprocal, some); });
}

void finishAttention(const AttentionFinish& finish) {
    withType(finish.pieces[0].queryType, [&]<class T>(T*) {
        for (std::int64_t row = finish.rowBegin; row < finish.rowEnd; ++row)
            finishRow<T>(finish, row);
    });
}

void addMass(const AttentionPiece& piece, const float* maximum, const float* reciprocal, float* mass) {
    const std::int64_t rows = piece.queryCount * piece.group;
    constexpr int kVectors = kSlotBlock / kWidth;
    const float* block = piece.probabilities;
    const float* blockMaximum = piece.blockMaximum;
    for (std::int64_t begin = piece.begin; begin < piece.end; begin += kSlotBlock) {
        Float sums[kVectors] = {};
        for (std::int64_t r = 0; r < rows; ++r) {
            const Float factor = broadcast(weightOf(blockMaximum[r], maximum[r]) * reciprocal[r]);
#pragma GCC unroll 16
            for (int v = 0; v < kVectors; ++v)
                sums[v] += load(block + r * kSlotBlock + v * kWidth) * factor;
        }
        const std::int64_t count = piece.end - begin < kSlotBlock ? piece.end - begin : kSlotBlock;
        for (int v = 0; v < kVectors && v * kWidth < count; ++v) {
            const std::int64_t some = count - v * kWidth < kWidth ? count - v * kWidth : kWidth;
            float* to = mass + begin + v * kWidth;
            storeUpTo(to, loadUpTo(to, some) + sums[v], some);
        }
        block += rows * kSlotBlock;
        blockMaximum += rows;
    }
}

}  // namespace kvist::kernels::KVIST_ISA
