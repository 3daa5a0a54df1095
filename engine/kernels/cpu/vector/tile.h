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

/// Memory that will be read next: fetched into the second-level cache a little at a time while sums are formed.
struct Ahead {
    const char* next = nullptr;
    const char* end = nullptr;

    void fetch() {
        if (next < end) {
            __builtin_prefetch(next, 0, 2);
            __builtin_prefetch(next + 64, 0, 2);
            next += 128;
        }
    }
};

/// out[r][c] = factors[r] · out[r][c] + Σ_k a[r][k] · b[k][c] for Rows rows and Columns vectors of columns; without
/// Accumulate the sum alone.
template <int Rows, int Columns, bool Accumulate, class T>
inline void multiplyTile(const float* a, std::int64_t aStride, const T* b, std::int64_t bStride, std::int64_t depth,
                         float* out, std::int64_t outStride, const float* factors, Ahead& ahead) {
    Float sums[Rows][Columns];
#pragma GCC unroll 8
    for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 4
        for (int c = 0; c < Columns; ++c)
            sums[r][c] = Accumulate ? read<Float>(out + r * outStride + c * kWidth) * broadcast(factors[r]) : Float{};
    Ahead fetching = ahead;  // in registers
    for (std::int64_t k = 0; k < depth; ++k) {
        fetching.fetch();
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
    ahead = fetching;
#pragma GCC unroll 8
    for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 4
        for (int c = 0; c < Columns; ++c)
            write(out + r * outStride + c * kWidth, sums[r][c]);
}

/// multiplyTile over all columns; `columns` is a multiple of kWidth.
template <int Rows, bool Accumulate, class T>
inline void multiplyRowsBy(const float* a, std::int64_t aStride, const T* b, std::int64_t bStride, std::int64_t depth,
                           std::int64_t columns, float* out, std::int64_t outStride, const float* factors,
                           Ahead& ahead) {
    std::int64_t c = 0;
    for (; c + kTileColumns * kWidth <= columns; c += kTileColumns * kWidth)
        multiplyTile<Rows, kTileColumns, Accumulate>(a, aStride, b + c, bStride, depth, out + c, outStride, factors,
                                                     ahead);
    for (; c < columns; c += kWidth)
        multiplyTile<Rows, 1, Accumulate>(a, aStride, b + c, bStride, depth, out + c, outStride, factors, ahead);
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
