// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Headers of this folder are compiled once per instruction set, each time in a namespace of its own, so that
// the linker never mixes the copies. For the same reason they use no inline functions of other headers.
#include "engine/kernels/cpu/element.h"

#include <cstdint>

#if !defined(KVIST_ISA) || !defined(KVIST_VECTOR_BYTES)
#error "include this only from a translation unit that chooses an instruction set"
#endif
#if defined(__F16C__)
#include <immintrin.h>
#endif

namespace kvist::kernels::KVIST_ISA {

using Float = float __attribute__((vector_size(KVIST_VECTOR_BYTES)));
using Int = std::int32_t __attribute__((vector_size(KVIST_VECTOR_BYTES)));
using UInt = std::uint32_t __attribute__((vector_size(KVIST_VECTOR_BYTES)));
using Short = std::uint16_t __attribute__((vector_size(KVIST_VECTOR_BYTES / 2)));

constexpr int kWidth = KVIST_VECTOR_BYTES / 4;

template <class To, class From>
inline To bitCast(From from) {
    static_assert(sizeof(To) == sizeof(From));
    To to;
    __builtin_memcpy(&to, &from, sizeof(to));
    return to;
}

template <class Vector>
inline Vector read(const void* from) {
    Vector vector;
    __builtin_memcpy(&vector, from, sizeof(vector));
    return vector;
}

template <class Vector>
inline void write(void* to, Vector vector) {
    __builtin_memcpy(to, &vector, sizeof(vector));
}

inline Float broadcast(float x) {
    return x - Float{};
}

inline Float larger(Float a, Float b) {
    return a > b ? a : b;
}

inline float sumOf(Float v) {
    float sum = 0.0F;
    for (int width = kWidth / 2; width > 0; width /= 2) {
        Int order{};
        for (int i = 0; i < kWidth; ++i)
            order[i] = i ^ width;
        v += __builtin_shuffle(v, order);
    }
    sum = v[0];
    return sum;
}

inline float largestOf(Float v) {
    for (int width = kWidth / 2; width > 0; width /= 2) {
        Int order{};
        for (int i = 0; i < kWidth; ++i)
            order[i] = i ^ width;
        v = larger(v, __builtin_shuffle(v, order));
    }
    return v[0];
}

/// 2 to the power of x, relative error below 2e-7; 0 below 2^-125, NaN for NaN.
inline Float exp2(Float x) {
    const Float magic = broadcast(12582912.0F);  // 1.5 · 2^23: its last bits count whole numbers
    const Float lowest = broadcast(-125.0F);
    const Float clamped = x < lowest ? lowest : x;
    const Float shifted = clamped + magic;
    const Float f = clamped - (shifted - magic);  // [-0.5, 0.5]
    const Int exponent = (bitCast<Int>(shifted) - bitCast<Int>(magic)) << 23;
    Float p = broadcast(0.000154614447F);
    p = p * f + broadcast(0.00134004282F);
    p = p * f + broadcast(0.00961805668F);
    p = p * f + broadcast(0.0555032723F);
    p = p * f + broadcast(0.240226509F);
    p = p * f + broadcast(0.693147207F);
    p = p * f + broadcast(1.0F);
    const Float result = bitCast<Float>(bitCast<Int>(p) + exponent);
    return x < lowest ? Float{} : result;
}

}  // namespace kvist::kernels::KVIST_ISA
