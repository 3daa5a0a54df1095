// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/kernels/cpu/vector/vector.h"

namespace kvist::kernels::KVIST_ISA {

// Loads and stores of kWidth elements as float32; stores round to nearest, ties to even.

// GCC 12 takes __builtin_convertvector apart into halves where one instruction would do.
inline UInt widen(const void* from) {
#if defined(__AVX512F__)
    return bitCast<UInt>(_mm512_maskz_cvtepu16_epi32(0xffff, read<__m256i>(from)));
#elif defined(__AVX2__)
    return bitCast<UInt>(_mm256_cvtepu16_epi32(read<__m128i>(from)));
#else
    return __builtin_convertvector(read<Short>(from), UInt);
#endif
}

inline Short narrow(UInt v) {
#if defined(__AVX512F__)
    return bitCast<Short>(_mm512_maskz_cvtepi32_epi16(0xffff, bitCast<__m512i>(v)));
#else
    return __builtin_convertvector(v, Short);
#endif
}

inline Float load(const float* from) {
    return read<Float>(from);
}

inline Float load(const BFloat16* from) {
    return bitCast<Float>(widen(from) << 16);
}

inline Float load(const Float16* from) {
#if defined(__AVX512F__)
    return _mm512_maskz_cvtph_ps(0xffff, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
#elif defined(__F16C__)
    return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
#else
    const UInt bits = widen(from);
    const UInt sign = (bits & 0x8000U) << 16;
    const Float scaled = bitCast<Float>((bits & 0x7fffU) << 13) * 0x1p112F;  // rebiased, subnormals too
    const UInt special = bitCast<UInt>((bits & 0x7c00U) == 0x7c00U) & 0x7f800000U;
    return bitCast<Float>(bitCast<UInt>(scaled) | special | sign);
#endif
}

inline Float load(const std::int8_t* from) {
#if defined(__AVX512F__)
    return _mm512_maskz_cvtepi32_ps(0xffff, _mm512_maskz_cvtepi8_epi32(0xffff, read<__m128i>(from)));
#elif defined(__AVX2__)
    return _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from))));
#else
    return __builtin_convertvector(read<SignedByte>(from), Float);
#endif
}

inline void store(float* to, Float v) {
    write(to, v);
}

inline void store(BFloat16* to, Float v) {
    const UInt bits = bitCast<UInt>(v);
    const UInt rounded = (bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16;
    const UInt quiet = (bits >> 16) | 0x40U;
    write(to, narrow(v != v ? quiet : rounded));
}

inline void store(Float16* to, Float v) {
#if defined(__AVX512F__)
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm512_maskz_cvtps_ph(0xffff, v, _MM_FROUND_TO_NEAREST_INT));
#elif defined(__F16C__)
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm256_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT));
#else
    const UInt all = bitCast<UInt>(v);
    const UInt sign = (all >> 16) & 0x8000U;
    const UInt bits = all & 0x7fffffffU;
    // Normal: rebias the exponent and round the 13 lost bits. Subnormal: let an addition do the rounding.
    const UInt normal = (bits - 0x38000000U + 0xfffU + ((bits >> 13) & 1U)) >> 13;
    const UInt subnormal = bitCast<UInt>(bitCast<Float>(bits) + 0.5F) - 0x3f000000U;
    UInt half = bits < 0x38800000U ? subnormal : normal;
    half = bits >= 0x477ff000U ? UInt{} + 0x7c00U : half;
    half = bits > 0x7f800000U ? UInt{} + 0x7e00U : half;
    write(to, narrow(half | sign));
#endif
}

/// Two vectors at once. For bfloat16 the even elements come first and the odd ones second, which takes one
/// operation each; use it only where the order of elements does not matter or both operands have it.
template <class T>
inline void loadPair(const T* from, Float& first, Float& second) {
    first = load(from);
    second = load(from + kWidth);
}

inline void loadPair(const BFloat16* from, Float& first, Float& second) {
    const UInt bits = read<UInt>(from);
    first = bitCast<Float>(bits << 16);
    second = bitCast<Float>(bits & 0xffff0000U);
}

/// As load() and store() for the first `count` < kWidth elements; the others read as zero and stay untouched.
template <class T>
inline Float loadSome(const T* from, std::int64_t count) {
    T padded[kWidth] = {};
    __builtin_memcpy(padded, from, static_cast<std::size_t>(count) * sizeof(T));
    return load(padded);
}

template <class T>
inline void storeSome(T* to, Float v, std::int64_t count) {
    T padded[kWidth];
    store(padded, v);
    __builtin_memcpy(to, padded, static_cast<std::size_t>(count) * sizeof(T));
}

/// Runs f(offset, count) over [0, width) a vector at a time; count < kWidth only in the last call.
template <class F>
inline void forEachVector(std::int64_t width, F f) {
    std::int64_t i = 0;
    for (; i + kWidth <= width; i += kWidth)
        f(i, std::int64_t{kWidth});
    if (i < width)
        f(i, width - i);
}

template <class T>
inline Float loadUpTo(const T* from, std::int64_t count) {
    return count == kWidth ? load(from) : loadSome(from, count);
}

template <class T>
inline void storeUpTo(T* to, Float v, std::int64_t count) {
    if (count == kWidth)
        store(to, v);
    else
        storeSome(to, v, count);
}

/// The value of v after rounding to T.
template <class T>
inline Float roundTo(Float v) {
    T rounded[kWidth];
    store(rounded, v);
    return load(rounded);
}

/// Calls f with a null pointer of the element's type.
template <class F>
inline void withType(Element type, F f) {
    switch (type) {
        case Element::Float32:
            return f(static_cast<float*>(nullptr));
        case Element::BFloat16:
            return f(static_cast<BFloat16*>(nullptr));
        case Element::Float16:
            return f(static_cast<Float16*>(nullptr));
    }
}

}  // namespace kvist::kernels::KVIST_ISA
