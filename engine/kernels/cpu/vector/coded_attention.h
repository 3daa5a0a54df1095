// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/kernels/cpu/coded_attention.h"
#include "engine/kernels/cpu/vector/attention.h"
#include "engine/kernels/cpu/vector/expand.h"

namespace kvist::kernels::KVIST_ISA {

/// As PieceKernel, with keys and values decoded block by block into scratch memory that stays in the caches.
template <class T>
class CodedPieceKernel : PieceMemory {
public:
    explicit CodedPieceKernel(const CodedAttentionPiece& piece) : PieceMemory(piece.base), m_coded(piece) {}

    void run() {
        beginPiece(m_piece, m_queries, m_laneSums);
        for (std::int64_t b = 0; b < m_coded.blockCount; ++b)
            block(b);
        sumLanes(m_piece, m_laneSums);
    }

private:
    void block(std::int64_t index) {
        const CodedBlock& block = m_coded.blocks[index];
        readKeys(block);
        readValues(block);
        // Kept probabilities have rows of their own; others share those of the first tile, which stay in L1.
        m_blockLogits = m_piece.probabilities ? m_piece.probabilities + index * m_rows * kSlotBlock : m_logits;
        const std::int64_t tiles = (m_rows + kTileRows - 1) / kTileRows;
        const std::int64_t height = (m_rows + tiles - 1) / tiles;
        for (std::int64_t first = 0; first < m_rows; first += height)
            withRows(m_rows - first < height ? m_rows - first : height, [&]<int Rows>() { tile<Rows>(first, block); });
        keepMaximum(m_piece, index);
    }

    void readKeys(const CodedBlock& block) {
        if (block.codedKeys > 0)
            return readKeyRows(block);
        if (!block.keyGroups[0])
            return packBlockKeys(m_piece, static_cast<const T*>(block.keys), block.count, m_partial, m_keys);
        withBits(m_coded.groupBits, [&]<int Bits>() {
            for (int g = 0; g < 2; ++g) {
                if (block.keyGroups[g])
                    expandKeys<Bits>(block.keyGroups[g], m_piece.headDim, m_partial, m_keys + g * kCodedGroup);
            }
        });
        m_kept = block.keyRows[0] | static_cast<std::uint64_t>(block.keyGroups[1] ? block.keyRows[1] : 0) << 32;
        if (!block.keyGroups[1])
            for (std::int64_t channel = 0; channel < m_piece.headDim; ++channel)
                for (std::int64_t i = kCodedGroup; i < kSlotBlock; i += kWidth)
                    store(m_keys + channel * kSlotBlock + i, Float{});
    }

    /// By way of rows in float32.
    void readKeyRows(const CodedBlock& block) {
        const std::int64_t width = m_piece.headDim;
        expandRows(m_coded.keyRows, block.keySlots, block.codedKeys, width, width, m_partial);
        packRows(static_cast<const T*>(block.keys), m_piece.keyStride, block.count - block.codedKeys, width, width,
                 1.0F, m_partial + block.codedKeys * width);
        for (std::int64_t i = block.count * width; i < kSlotBlock * width; i += kWidth)
            store(m_partial + i, Float{});
        packKeys(m_partial, width, width, m_keys);
    }

    void readValues(const CodedBlock& block) {
        expandRows(m_coded.valueRows, block.valueSlots, block.codedValues, m_piece.headDim, m_padded, m_values);
        if (block.codedValues < block.count)
            packRows(static_cast<const T*>(block.values), m_piece.valueStride, block.count - block.codedValues,
                     m_piece.headDim, m_padded, 1.0F, m_values + block.codedValues * m_padded);
    }

    /// Logits of entries that are still there move together.
    void compact(float* row) const {
        std::int64_t next = 0;
        for (std::uint64_t left = m_kept; left != 0; left &= left - 1)
            row[next++] = row[__builtin_ctzll(left)];
    }

    template <int Rows>
    void tile(std::int64_t first, const CodedBlock& block) {
        Ahead none;
        float* logits = m_piece.probabilities ? m_blockLogits + first * kSlotBlock : m_blockLogits;
        multiplyRowsBy<Rows, false>(m_queries + first * m_padded, m_padded, m_keys, kSlotBlock, m_piece.headDim,
                                    kSlotBlock, logits, kSlotBlock, nullptr, none);
        const bool hasHoles = block.keyGroups[0] && (m_kept & (m_kept + 1)) != 0;
        float factors[Rows];
        for (int r = 0; r < Rows; ++r) {
            float* row = logits + r * kSlotBlock;
            if (hasHoles)
                compact(row);
            const std::int64_t seen = m_piece.visible + (first + r) / m_piece.group - block.first;
            factors[r] = softmaxBlock(row, seen < block.count ? seen : block.count, m_piece.maximum[first + r],
                                      m_laneSums + (first + r) * kWidth);
        }
        multiplyRowsBy<Rows, true>(logits, kSlotBlock, m_values, m_padded, block.count, m_padded,
                                   m_piece.output + first * m_padded, m_padded, factors, none);
    }

    const CodedAttentionPiece& m_coded;
    std::uint64_t m_kept = 0;  // rows of the block's two groups that are entries
    float* m_blockLogits = nullptr;
};

void attendCodedPiece(const CodedAttentionPiece& piece) {
    withType(piece.base.storedType, [&]<class T>(T*) { CodedPieceKernel<T>(piece).run(); });
}

}  // namespace kvist::kernels::KVIST_ISA
