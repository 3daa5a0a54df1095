// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/kernels/cpu/cpu_kernels.h"
#include "engine/kernels/cpu/vector/convert.h"

namespace kvist::kernels::KVIST_ISA {

/// Transposes kWidth vectors of kWidth lanes: log2(kWidth) perfect shuffles.
template <class Vector>
inline void transpose(Vector (&rows)[kWidth]) {
    Int low{}, high{};
#pragma GCC unroll 16
    for (int i = 0; i < kWidth; ++i) {
        low[i] = i / 2 + (i % 2) * kWidth;
        high[i] = low[i] + kWidth / 2;
    }
#pragma GCC unroll 4
    for (int stage = 1; stage < kWidth; stage *= 2) {
        Vector shuffled[kWidth];
#pragma GCC unroll 16
        for (int i = 0; i < kWidth / 2; ++i) {
            shuffled[2 * i] = __builtin_shuffle(rows[i], rows[i + kWidth / 2], low);
            shuffled[2 * i + 1] = __builtin_shuffle(rows[i], rows[i + kWidth / 2], high);
        }
#pragma GCC unroll 16
        for (int i = 0; i < kWidth; ++i)
            rows[i] = shuffled[i];
    }
}

/// kWidth slots and components from `from` to columns of `to` [component, kSlotBlock].
template <class T>
inline void packSquare(const T* from, std::int64_t stride, float* to) {
    Float rows[kWidth];
#pragma GCC unroll 16
    for (int i = 0; i < kWidth; ++i)
        rows[i] = load(from + i * stride);
    transpose(rows);
#pragma GCC unroll 16
    for (int i = 0; i < kWidth; ++i)
        write(to + i * kSlotBlock, rows[i]);
}

/// kWidth slots and 2 · kWidth components: pairs are transposed as one lane and taken apart afterwards.
inline void packPairs(const BFloat16* from, std::int64_t stride, float* to) {
    UInt rows[kWidth];
#pragma GCC unroll 16
    for (int i = 0; i < kWidth; ++i)
        rows[i] = read<UInt>(from + i * stride);
    transpose(rows);
#pragma GCC unroll 16
    for (int i = 0; i < kWidth; ++i) {
        write(to + 2 * i * kSlotBlock, rows[i] << 16);
        write(to + (2 * i + 1) * kSlotBlock, rows[i] & 0xffff0000U);
    }
}

/// Packs components that can be handled in pairs; returns how many.
template <class T>
inline std::int64_t packInPairs(const T*, std::int64_t, std::int64_t, float*) {
    return 0;
}

inline std::int64_t packInPairs(const BFloat16* keys, std::int64_t stride, std::int64_t headDim, float* packed) {
    std::int64_t component = 0;
    for (; component + 2 * kWidth <= headDim; component += 2 * kWidth)
        for (std::int64_t slot = 0; slot < kSlotBlock; slot += kWidth)
            packPairs(keys + slot * stride + component, stride, packed + component * kSlotBlock + slot);
    return component;
}

/// kSlotBlock keys [slot, component] to float32 columns [component, kSlotBlock].
template <class T>
inline void packKeys(const T* keys, std::int64_t stride, std::int64_t headDim, float* packed) {
    std::int64_t component = packInPairs(keys, stride, headDim, packed);
    for (; component + kWidth <= headDim; component += kWidth)
        for (std::int64_t slot = 0; slot < kSlotBlock; slot += kWidth)
            packSquare(keys + slot * stride + component, stride, packed + component * kSlotBlock + slot);
    if (component == headDim)
        return;
    for (std::int64_t slot = 0; slot < kSlotBlock; ++slot) {
        const Float v = loadSome(keys + slot * stride + component, headDim - component);
        for (std::int64_t lane = 0; component + lane < headDim; ++lane)
            packed[(component + lane) * kSlotBlock + slot] = v[lane];
    }
}

/// `count` rows [slot, component] to float32 rows of `padded` components, the rest zero.
template <class T>
inline void packRows(const T* rows, std::int64_t stride, std::int64_t count, std::int64_t headDim, std::int64_t padded,
                     float factor, float* packed) {
    for (std::int64_t row = 0; row < count; ++row) {
        const T* from = rows + row * stride;
        float* to = packed + row * padded;
        std::int64_t filled = 0;
        forEachVector(headDim, [&](std::int64_t i, std::int64_t some) {
            store(to + i, loadUpTo(from + i, some) * broadcast(factor));
            filled = i + kWidth;
        });
        for (; filled < padded; filled += kWidth)
            store(to + filled, Float{});
    }
}

}  // namespace kvist::kernels::KVIST_ISA
