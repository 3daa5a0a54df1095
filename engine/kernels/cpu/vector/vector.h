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
using SignedByte = std::int8_t __attribute__((vector_size(KVIST_VECTOR_BYTES / 4)));

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

/// Lane numbers, evaluated by the compiler: i ^ distance.
template <int Distance>
struct Swap {
    std::int32_t lanes[kWidth];
    constexpr Swap() : lanes() {
        for (int i = 0; i < kWidth; ++i)
            lanes[i] = i ^ Distance;
    }
};

/// `combine` over all lanes, halving the distance each time; the result is in every lane.
template <int Distance = kWidth / 2, class F>
inline Float reduce(Float v, F combine) {
    if constexpr (Distance == 0) {
        return v;
    } else {
        static constexpr Swap<Distance> kSwap;
        return reduce<Distance / 2>(combine(v, __builtin_shuffle(v, read<Int>(kSwap.lanes))), combine);
    }
}

inline float sumOf(Float v) {
    return reduce(v, [](Float a, Float b) { return a + b; })[0];
}

/// 2 to the power of f in [-0.5, 0.5], relative error 1.0e-07: interpolated at Chebyshev's points.
inline Float exp2Fraction(Float f) {
    Float p = broadcast(0.00133908634F);
    p = p * f + broadcast(0.00967603192F);
    p = p * f + broadcast(0.0555035711F);
    p = p * f + broadcast(0.240221075F);
    p = p * f + broadcast(0.693147188F);
    p = p * f + broadcast(1.00000008F);
    return p;
}

/// 2 to the power of x, relative error below 3e-7; 0 below 2^-125, NaN for NaN.
inline Float exp2(Float x) {
#if defined(__AVX512F__)
    // Left out lanes are zero, without the slow path of results that are not normal; NaN takes part.
    const __mmask16 inRange = _mm512_cmp_ps_mask(x, broadcast(-125.0F), _CMP_NLT_UQ);
    const Float whole = _mm512_maskz_roundscale_ps(0xffff, x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    return _mm512_maskz_scalef_ps(inRange, exp2Fraction(x - whole), whole);
#else
    const Float lowest = broadcast(-125.0F);
    const Float magic = broadcast(12582912.0F);  // 1.5 · 2^23: its last bits count whole numbers
    const Float clamped = x < lowest ? lowest : x;
    const Float shifted = clamped + magic;
    const Int exponent = (bitCast<Int>(shifted) - bitCast<Int>(magic)) << 23;
    const Float fraction = exp2Fraction(clamped - (shifted - magic));
    const Float result = bitCast<Float>(bitCast<Int>(fraction) + exponent);
    return x < lowest ? Float{} : result;
#endif
}

}  // namespace kvist::kernels::KVIST_ISA
