// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/kernels/cpu/coded_attention.h"
#include "engine/kernels/cpu/vector/convert.h"

namespace kvist::kernels::KVIST_ISA {

using Byte = unsigned char __attribute__((vector_size(KVIST_VECTOR_BYTES / 4)));

/// kWidth bytes as integers.
inline UInt widenBytes(const void* from) {
#if defined(__AVX512F__)
    return bitCast<UInt>(_mm512_maskz_cvtepu8_epi32(0xffff, read<__m128i>(from)));
#elif defined(__AVX2__)
    return bitCast<UInt>(_mm256_cvtepu8_epi32(_mm_loadl_epi64(static_cast<const __m128i*>(from))));
#else
    return __builtin_convertvector(read<Byte>(from), UInt);
#endif
}

inline Float toFloat(UInt v) {
    return __builtin_convertvector(bitCast<Int>(v), Float);
}

/// out[i] = minimum + scale · code i for the 32 codes at `codes` (see CodedBlock).
template <int Bits>
inline void expand32(const std::byte* codes, Float scale, Float minimum, float* out) {
    constexpr int kBytes = 4 * Bits;
    constexpr std::uint32_t kMask = (1U << Bits) - 1U;
    if constexpr (kBytes >= kWidth) {
#pragma GCC unroll 8
        for (int j = 0; j < kBytes; j += kWidth) {
            const UInt bytes = widenBytes(codes + j);
#pragma GCC unroll 4
            for (int plane = 0; plane < 8 / Bits; ++plane)
                store(out + plane * kBytes + j, minimum + scale * toFloat((bytes >> (Bits * plane)) & kMask));
        }
    } else {
        // Half a vector of bytes: two planes at once.
        static_assert(2 * kBytes == kWidth);
        std::byte twice[kWidth];
        __builtin_memcpy(twice, codes, kBytes);
        __builtin_memcpy(twice + kBytes, codes, kBytes);
        UInt shifts{};
#pragma GCC unroll 16
        for (int lane = kBytes; lane < kWidth; ++lane)
            shifts[lane] = Bits;
        const UInt bytes = widenBytes(twice) >> shifts;
#pragma GCC unroll 2
        for (int plane = 0; plane < 8 / Bits; plane += 2)
            store(out + plane * kBytes, minimum + scale * toFloat((bytes >> (Bits * plane)) & kMask));
    }
}

/// Scales and minima of `groups` groups, two float16 each, as they follow each other.
inline void expandScales(const std::byte* from, std::int64_t groups, float* out) {
    const auto* halves = reinterpret_cast<const Float16*>(from);
    forEachVector(2 * groups,
                  [&](std::int64_t i, std::int64_t some) { storeUpTo(out + i, loadUpTo(halves + i, some), some); });
}

/// 32 coded keys to columns of `packed` [channel, kSlotBlock]. `scales` has room for 2 · headDim floats.
template <int Bits>
inline void expandKeys(const std::byte* group, std::int64_t headDim, float* scales, float* packed) {
    expandScales(group + headDim * 4 * Bits, headDim, scales);
    for (std::int64_t channel = 0; channel < headDim; ++channel)
        expand32<Bits>(group + channel * 4 * Bits, broadcast(scales[2 * channel]), broadcast(scales[2 * channel + 1]),
                       packed + channel * kSlotBlock);
}

/// One row in scales and minima to headDim floats.
template <int Bits>
inline void expandValue(const std::byte* value, std::int64_t headDim, float* scales, float* row) {
    const std::int64_t groups = headDim / 32;
    expandScales(value + groups * 4 * Bits, groups, scales);
    for (std::int64_t g = 0; g < groups; ++g)
        expand32<Bits>(value + g * 4 * Bits, broadcast(scales[2 * g]), broadcast(scales[2 * g + 1]), row + g * 32);
}

/// kWidth codes, one after the other vector: `bytes` bytes hold them all.
template <int Bits>
class CodeReader {
public:
    CodeReader(const std::byte* codes, std::int64_t bytes) : m_codes(codes), m_bytes(bytes) {}

    UInt next() {
        constexpr std::uint32_t kMask = (1U << Bits) - 1U;
        if (m_bytes < kWidth) {  // half a vector of bytes: two planes at once
            std::byte twice[kWidth];
            __builtin_memcpy(twice, m_codes, kWidth / 2);
            __builtin_memcpy(twice + kWidth / 2, m_codes, kWidth / 2);
            UInt shifts = UInt{} + m_shift;
            for (int lane = kWidth / 2; lane < kWidth; ++lane)
                shifts[lane] += Bits;
            m_shift += 2 * Bits;
            return (widenBytes(twice) >> shifts) & kMask;
        }
        const UInt codes = (widenBytes(m_codes + m_offset) >> m_shift) & kMask;
        m_offset += kWidth;
        if (m_offset == m_bytes) {
            m_offset = 0;
            m_shift += Bits;
        }
        return codes;
    }

private:
    const std::byte* m_codes;
    std::int64_t m_bytes;
    std::int64_t m_offset = 0;
    std::uint32_t m_shift = 0;
};

/// Numbers of a table of 16.
inline Float lookUp(const float* table, UInt codes) {
    if constexpr (kWidth == 16) {
        return __builtin_shuffle(read<Float>(table), bitCast<Int>(codes));
    } else if constexpr (kWidth == 8) {
        return __builtin_shuffle(read<Float>(table), read<Float>(table + kWidth), bitCast<Int>(codes));
    } else {
        Float numbers;
        for (int lane = 0; lane < kWidth; ++lane)
            numbers[lane] = table[codes[lane]];
        return numbers;
    }
}

/// One row in numbers of a table to headDim floats.
template <int Bits>
inline void lookUpRow(const std::byte* row, std::int64_t headDim, const float* table, float* out) {
    constexpr int kLow = Bits == 3 ? 2 : Bits;
    const std::int64_t bytes = headDim * Bits / 8;
    const Float length = broadcast(loadSome(reinterpret_cast<const Float16*>(row + bytes), 1)[0]);
    CodeReader<kLow> low(row, headDim * kLow / 8);
    CodeReader<1> high(row + headDim * kLow / 8, headDim / 8);
    for (std::int64_t i = 0; i < headDim; i += kWidth) {
        UInt codes = low.next();
        if constexpr (Bits == 3)
            codes |= high.next() << 2;
        store(out + i, lookUp(table, codes) * length);
    }
}

template <class F>
inline void withTableBits(int bits, F f) {
    if (bits == 1)
        f.template operator()<1>();
    else if (bits == 2)
        f.template operator()<2>();
    else if (bits == 3)
        f.template operator()<3>();
    else
        f.template operator()<4>();
}

/// Calls f with an integral constant of `bits`.
template <class F>
inline void withBits(int bits, F f) {
    if (bits == 2)
        f.template operator()<2>();
    else if (bits == 4)
        f.template operator()<4>();
    else
        f.template operator()<8>();
}

/// `count` rows by their slots to rows of `stride` floats.
inline void expandRows(const RowCodes& rows, const std::int32_t* slots, std::int64_t count, std::int64_t headDim,
                       std::int64_t stride, float* scales, float* out) {
    if (rows.table)
        return withTableBits(rows.bits, [&]<int Bits>() {
            for (std::int64_t i = 0; i < count; ++i)
                lookUpRow<Bits>(rows.codes + slots[i] * rows.bytes, headDim, rows.table, out + i * stride);
        });
    withBits(rows.bits, [&]<int Bits>() {
        for (std::int64_t i = 0; i < count; ++i)
            expandValue<Bits>(rows.codes + slots[i] * rows.bytes, headDim, scales, out + i * stride);
    });
}

}  // namespace kvist::kernels::KVIST_ISA
