// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/kernels/cpu/cpu_kernels.h"
#include "engine/kernels/cpu/vector/pack.h"
#include "engine/kernels/cpu/vector/tile.h"

namespace kvist::kernels::KVIST_ISA {

constexpr float kMinusInfinity = -__builtin_inff();

/// Logits of one row and block to probabilities relative to the largest logit seen so far. Returns the factor
/// that what was summed before must be multiplied with. No branch depends on a logit: it would be guessed wrong
/// too often.
inline float softmaxBlock(float* row, std::int64_t visible, float& maximum, float* laneSums) {
    if (visible <= 0) {
        for (std::int64_t i = 0; i < kSlotBlock; i += kWidth)
            store(row + i, Float{});
        return 1.0F;
    }
    for (std::int64_t i = visible; i < kSlotBlock; ++i)
        row[i] = kMinusInfinity;
    const Float before = broadcast(maximum);
    Float largest = before;
#pragma GCC unroll 16
    for (std::int64_t i = 0; i < kSlotBlock; i += kWidth)
        largest = larger(load(row + i), largest);
    largest = reduce(largest, larger);
    const Float factor = exp2(before - largest);
    Float sums = load(laneSums) * factor;
#pragma GCC unroll 16
    for (std::int64_t i = 0; i < kSlotBlock; i += kWidth) {
        const Float p = exp2(load(row + i) - largest);
        store(row + i, p);
        sums += p;
    }
    store(laneSums, sums);
    maximum = largest[0];
    return factor[0];
}

constexpr std::int64_t rowsOf(const AttentionPiece& piece) {
    return piece.queryCount * piece.group;
}

/// Scaled queries of the piece's rows, and nothing seen yet.
inline void beginPiece(const AttentionPiece& piece, float* packedQueries, float* laneSums) {
    const std::int64_t padded = paddedHeadDim(piece.headDim);
    withType(piece.queryType, [&]<class Q>(Q*) {
        const Q* queries = static_cast<const Q*>(piece.queries);
        for (std::int64_t i = 0; i < piece.queryCount; ++i)
            packRows(queries + i * piece.queryStride, piece.headStride, piece.group, piece.headDim, padded, piece.scale,
                     packedQueries + i * piece.group * padded);
    });
    for (std::int64_t r = 0; r < rowsOf(piece); ++r) {
        piece.maximum[r] = kMinusInfinity;
        store(laneSums + r * kWidth, Float{});
    }
    for (std::int64_t i = 0; i < rowsOf(piece) * padded; i += kWidth)
        store(piece.output + i, Float{});
}

/// Keys of a block of at most kSlotBlock slots; those that a last block lacks are zero. `copy` holds a block.
template <class T>
inline void packBlockKeys(const AttentionPiece& piece, const T* keys, std::int64_t count, float* copy, float* packed) {
    if (count == kSlotBlock)
        return packKeys(keys, piece.keyStride, piece.headDim, packed);
    T* whole = reinterpret_cast<T*>(copy);
    const std::size_t bytes = static_cast<std::size_t>(piece.headDim) * sizeof(T);
    for (std::int64_t slot = 0; slot < kSlotBlock; ++slot) {
        if (slot < count)
            __builtin_memcpy(whole + slot * piece.headDim, keys + slot * piece.keyStride, bytes);
        else
            __builtin_memset(whole + slot * piece.headDim, 0, bytes);
    }
    packKeys(whole, piece.headDim, piece.headDim, packed);
}

/// What the probabilities of a block, where they are kept, are relative to.
inline void keepMaximum(const AttentionPiece& piece, std::int64_t block) {
    if (piece.blockMaximum)
        for (std::int64_t r = 0; r < rowsOf(piece); ++r)
            piece.blockMaximum[block * rowsOf(piece) + r] = piece.maximum[r];
}

inline void sumLanes(const AttentionPiece& piece, const float* laneSums) {
    for (std::int64_t r = 0; r < rowsOf(piece); ++r)
        piece.sum[r] = sumOf(load(laneSums + r * kWidth));
}

/// What a kernel of a piece keeps where: attentionScratch() floats.
class PieceMemory {
protected:
    explicit PieceMemory(const AttentionPiece& piece)
        : m_piece(piece),
          m_rows(rowsOf(piece)),
          m_padded(paddedHeadDim(piece.headDim)),
          m_keys(piece.scratch),
          m_values(m_keys + kSlotBlock * m_padded),
          m_partial(m_values + kSlotBlock * m_padded),
          m_queries(m_partial + kSlotBlock * m_padded),
          m_logits(m_queries + m_rows * m_padded),
          m_laneSums(m_logits + m_rows * kSlotBlock) {}

    const AttentionPiece& m_piece;
    const std::int64_t m_rows;
    const std::int64_t m_padded;
    float* const m_keys;      // packed
    float* const m_values;    // packed
    float* const m_partial;   // a copy of a partial block
    float* const m_queries;   // scaled
    float* const m_logits;    // of a block
    float* const m_laneSums;  // of probabilities
};

template <class T>
class PieceKernel : PieceMemory {
public:
    explicit PieceKernel(const AttentionPiece& piece) : PieceMemory(piece) {}

    void run() {
        beginPiece(m_piece, m_queries, m_laneSums);
        for (std::int64_t begin = m_piece.begin; begin < m_piece.end; begin += kSlotBlock)
            block(begin, m_piece.end - begin < kSlotBlock ? m_piece.end - begin : kSlotBlock);
        sumLanes(m_piece, m_laneSums);
    }

private:
    void block(std::int64_t begin, std::int64_t count) {
        const T* keys = static_cast<const T*>(m_piece.keys) + begin * m_piece.keyStride;
        const T* values = static_cast<const T*>(m_piece.values) + begin * m_piece.valueStride;
        // While logits are formed the block's values come in, while values are summed the next block's keys.
        m_valuesAhead = ahead(values, m_piece.valueStride, count);
        const std::int64_t left = m_piece.end - begin - count;
        m_keysAhead = ahead(keys + count * m_piece.keyStride, m_piece.keyStride, left < kSlotBlock ? left : kSlotBlock);
        packBlockKeys(m_piece, keys, count, m_partial, m_keys);

        const std::int64_t index = (begin - m_piece.begin) / kSlotBlock;
        float* logits = m_piece.probabilities ? m_piece.probabilities + index * m_rows * kSlotBlock : m_logits;
        if (m_rows > kTileRows || m_piece.headDim % kWidth != 0) {
            packRows(values, m_piece.valueStride, count, m_piece.headDim, m_padded, 1.0F, m_values);
            rows(begin, count, logits, m_values, m_padded, m_padded);
        } else {
            rows(begin, count, logits, values, m_piece.valueStride, m_piece.headDim);
        }
        keepMaximum(m_piece, index);
    }

    static Ahead ahead(const T* from, std::int64_t stride, std::int64_t slots) {
        return {reinterpret_cast<const char*>(from), reinterpret_cast<const char*>(from + slots * stride)};
    }

    /// All rows over one block; tiles of equal height.
    template <class V>
    void rows(std::int64_t begin, std::int64_t count, float* logits, const V* values, std::int64_t valueStride,
              std::int64_t columns) {
        const std::int64_t tiles = (m_rows + kTileRows - 1) / kTileRows;
        const std::int64_t height = (m_rows + tiles - 1) / tiles;
        for (std::int64_t first = 0; first < m_rows; first += height) {
            const std::int64_t some = m_rows - first < height ? m_rows - first : height;
            withRows(some, [&]<int Rows>() {
                // Kept probabilities have rows of their own; others share those of the first tile, which stay in L1.
                float* own = m_piece.probabilities ? logits + first * kSlotBlock : logits;
                tile<Rows>(first, begin, count, own, values, valueStride, columns);
            });
        }
    }

    template <int Rows, class V>
    void tile(std::int64_t first, std::int64_t begin, std::int64_t count, float* logits, const V* values,
              std::int64_t valueStride, std::int64_t columns) {
        multiplyRowsBy<Rows, false>(m_queries + first * m_padded, m_padded, m_keys, kSlotBlock, m_piece.headDim,
                                    kSlotBlock, logits, kSlotBlock, nullptr, m_valuesAhead);
        float factors[Rows];
        for (int r = 0; r < Rows; ++r) {
            const std::int64_t seen = m_piece.visible + (first + r) / m_piece.group - begin;
            factors[r] = softmaxBlock(logits + r * kSlotBlock, seen < count ? seen : count, m_piece.maximum[first + r],
                                      m_laneSums + (first + r) * kWidth);
        }
        multiplyRowsBy<Rows, true>(logits, kSlotBlock, values, valueStride, count, columns,
                                   m_piece.output + first * m_padded, m_padded, factors, m_keysAhead);
    }

    Ahead m_keysAhead;
    Ahead m_valuesAhead;
};

void attendPiece(const AttentionPiece& piece) {
    withType(piece.storedType, [&]<class T>(T*) { PieceKernel<T>(piece).run(); });
}

}  // namespace kvist::kernels::KVIST_ISA
