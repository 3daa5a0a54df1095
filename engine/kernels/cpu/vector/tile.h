// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/kernels/cpu/vector/convert.h"

namespace kvist::kernels::KVIST_ISA {

/// Sizes that keep a tile's sums in registers.
#if KVIST_VECTOR_BYTES == 64
constexpr int kTileRows = 7;
constexpr int kTileColumns = 4;
#else
constexpr int kTileRows = 6;
constexpr int kTileColumns = 2;
#endif

/// out[r][c] (+)= Σ_k a[r][k] · b[k][c] for Rows rows and Columns vectors of columns.
template <int Rows, int Columns, bool Accumulate, class T>
inline void multiplyTile(const float* a, std::int64_t aStride, const T* b, std::int64_t bStride, std::int64_t depth,
                         float* out, std::int64_t outStride) {
    Float sums[Rows][Columns];
#pragma GCC unroll 8
    for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 4
        for (int c = 0; c < Columns; ++c)
            sums[r][c] = Accumulate ? read<Float>(out + r * outStride + c * kWidth) : Float{};
    for (std::int64_t k = 0; k < depth; ++k) {
        Float columns[Columns];
#pragma GCC unroll 4
        for (int c = 0; c < Columns; ++c)
            columns[c] = load(b + k * bStride + c * kWidth);
#pragma GCC unroll 8
        for (int r = 0; r < Rows; ++r) {
            const Float x = broadcast(a[r * aStride + k]);
#pragma GCC unroll 4
            for (int c = 0; c < Columns; ++c)
                sums[r][c] += x * columns[c];
        }
    }
#pragma GCC unroll 8
    for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 4
        for (int c = 0; c < Columns; ++c)
            write(out + r * outStride + c * kWidth, sums[r][c]);
}

/// multiplyTile over all columns; `columns` is a multiple of kWidth.
template <int Rows, bool Accumulate, class T>
inline void multiplyRowsBy(const float* a, std::int64_t aStride, const T* b, std::int64_t bStride, std::int64_t depth,
                           std::int64_t columns, float* out, std::int64_t outStride) {
    std::int64_t c = 0;
    for (; c + kTileColumns * kWidth <= columns; c += kTileColumns * kWidth)
        multiplyTile<Rows, kTileColumns, Accumulate>(a, aStride, b + c, bStride, depth, out + c, outStride);
    for (; c < columns; c += kWidth)
        multiplyTile<Rows, 1, Accumulate>(a, aStride, b + c, bStride, depth, out + c, outStride);
}

/// Calls f with an integral constant of `rows`, 1 to kTileRows.
template <int Rows = kTileRows, class F>
inline void withRows(std::int64_t rows, F f) {
    if constexpr (Rows > 1) {
        if (rows < Rows)
            return withRows<Rows - 1>(rows, f);
    }
    f.template operator()<Rows>();
}

}  // namespace kvist::kernels::KVIST_ISA
