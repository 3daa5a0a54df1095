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

/// kWidth / 2 bytes as integers, and the same once more.
inline UInt widenTwice(const void* from) {
#if defined(__AVX512F__)
    return bitCast<UInt>(_mm512_maskz_cvtepu8_epi32(0xffff, _mm_set1_epi64x(read<long long>(from))));
#else
    std::byte twice[kWidth];
    __builtin_memcpy(twice, from, kWidth / 2);
    __builtin_memcpy(twice + kWidth / 2, from, kWidth / 2);
    return widenBytes(twice);
#endif
}

inline Float toFloat(UInt v) {
    return __builtin_convertvector(bitCast<Int>(v), Float);
}

/// A number in float16.
inline float halfAt(const std::byte* from) {
#if defined(__F16C__)
    return _cvtsh_ss(read<std::uint16_t>(from));
#else
    return loadSome(reinterpret_cast<const Float16*>(from), 1)[0];
#endif
}

/// Two numbers in float16, each in all lanes; by way of memory they would wait for each other.
inline void broadcastPair(const std::byte* from, Float& first, Float& second) {
#if defined(__F16C__)
    const __m128 pair = _mm_cvtph_ps(_mm_cvtsi32_si128(read<int>(from)));
#else
    const Float pair = loadSome(reinterpret_cast<const Float16*>(from), 2);
#endif
    first = broadcast(pair[0]);
    second = broadcast(pair[1]);
}

/// Lane numbers, evaluated by the compiler.
struct Lanes {
    std::uint32_t numbers[kWidth];
    constexpr Lanes() : numbers() {
        for (int i = 0; i < kWidth; ++i)
            numbers[i] = static_cast<std::uint32_t>(i);
    }
};

/// What the codes of one group stand for.
template <int Bits>
class GroupNumbers {
public:
    GroupNumbers(Float scale, Float minimum) : m_scale(scale), m_minimum(minimum) {
        if constexpr (kLooksUp) {
            static constexpr Lanes kLanes;
            m_table = minimum + scale * toFloat(read<UInt>(kLanes.numbers) & kMask);
        }
    }

    /// minimum + scale · code, of codes in the lowest bits.
    Float of(UInt codes) const {
        if constexpr (kLooksUp)  // the table repeats itself, so that higher bits change nothing
            return __builtin_shuffle(m_table, bitCast<Int>(codes));
        return m_minimum + m_scale * toFloat(codes & kMask);
    }

private:
    static constexpr std::uint32_t kMask = (1U << Bits) - 1U;
    static constexpr bool kLooksUp = kWidth >= 8 && (1 << Bits) <= kWidth;

    Float m_scale;
    Float m_minimum;
    Float m_table{};
};

/// The 32 codes at `codes` (see CodedBlock) as numbers.
template <int Bits>
inline void expand32(const std::byte* codes, const GroupNumbers<Bits>& numbers, float* out) {
    constexpr int kBytes = 4 * Bits;
    if constexpr (kBytes >= kWidth) {
#pragma GCC unroll 8
        for (int j = 0; j < kBytes; j += kWidth) {
            const UInt bytes = widenBytes(codes + j);
#pragma GCC unroll 4
            for (int plane = 0; plane < 8 / Bits; ++plane)
                store(out + plane * kBytes + j, numbers.of(bytes >> (Bits * plane)));
        }
    } else {
        // Half a vector of bytes: two planes at once.
        static_assert(2 * kBytes == kWidth);
        UInt shifts{};
#pragma GCC unroll 16
        for (int lane = kBytes; lane < kWidth; ++lane)
            shifts[lane] = Bits;
        const UInt bytes = widenTwice(codes) >> shifts;
#pragma GCC unroll 2
        for (int plane = 0; plane < 8 / Bits; plane += 2)
            store(out + plane * kBytes, numbers.of(bytes >> (Bits * plane)));
    }
}

/// 32 coded keys to columns of `packed` [channel, kSlotBlock]. `scales` has room for 2 · headDim floats.
template <int Bits>
inline void expandKeys(const std::byte* group, std::int64_t headDim, float* scales, float* packed) {
    const auto* halves = reinterpret_cast<const Float16*>(group + headDim * 4 * Bits);
    forEachVector(2 * headDim,
                  [&](std::int64_t i, std::int64_t some) { storeUpTo(scales + i, loadUpTo(halves + i, some), some); });
    for (std::int64_t channel = 0; channel < headDim; ++channel) {
        const GroupNumbers<Bits> numbers(broadcast(scales[2 * channel]), broadcast(scales[2 * channel + 1]));
        expand32<Bits>(group + channel * 4 * Bits, numbers, packed + channel * kSlotBlock);
    }
}

/// One row in scales and minima to headDim floats.
template <int Bits>
inline void expandValue(const std::byte* value, std::int64_t headDim, float* row) {
    const std::int64_t groups = headDim / 32;
    const std::byte* scales = value + groups * 4 * Bits;
    for (std::int64_t g = 0; g < groups; ++g) {
        Float scale, minimum;
        broadcastPair(scales + 4 * g, scale, minimum);
        expand32<Bits>(value + g * 4 * Bits, GroupNumbers<Bits>(scale, minimum), row + g * 32);
    }
}

/// kWidth codes, one after the other vector: `bytes` bytes hold them all.
template <int Bits>
class CodeReader {
public:
    CodeReader(const std::byte* codes, std::int64_t bytes) : m_codes(codes), m_bytes(bytes) {}

    UInt next() {
        constexpr std::uint32_t kMask = (1U << Bits) - 1U;
        if (m_bytes < kWidth) {  // half a vector of bytes: two planes at once
            UInt shifts{};
#pragma GCC unroll 16
            for (int lane = kWidth / 2; lane < kWidth; ++lane)
                shifts[lane] = Bits;
            const UInt codes = (widenTwice(m_codes) >> (shifts + m_shift)) & kMask;
            m_shift += 2 * Bits;
            return codes;
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

/// Numbers of a table of 16 times a length.
class TableNumbers {
public:
    TableNumbers(const float* table, Float length) : m_low(read<Float>(table) * length) {
        if constexpr (kWidth == 8)
            m_high = read<Float>(table + kWidth) * length;
        for (int i = 0; kWidth < 8 && i < 16; i += kWidth)
            store(m_scaled + i, read<Float>(table + i) * length);
    }

    /// Of codes in the lowest `Bits` bits.
    template <int Bits>
    Float of(UInt codes) const {
        constexpr std::uint32_t kMask = (1U << Bits) - 1U;
        // Four bits are what a shuffle looks at.
        const Int places = bitCast<Int>(Bits == 4 && kWidth >= 8 ? codes : codes & kMask);
        if constexpr (kWidth == 16)
            return __builtin_shuffle(m_low, places);
        if constexpr (kWidth == 8)
            return __builtin_shuffle(m_low, m_high, places);
        Float numbers;
        for (int lane = 0; lane < kWidth; ++lane)
            numbers[lane] = m_scaled[places[lane]];
        return numbers;
    }

private:
    Float m_low;
    Float m_high{};
    float m_scaled[16];
};

/// One row in numbers of a table to headDim floats.
template <int Bits>
inline void lookUpRow(const std::byte* row, std::int64_t headDim, const float* table, float* out) {
    const std::int64_t bytes = headDim * Bits / 8;
    const TableNumbers numbers(table, broadcast(halfAt(row + bytes)));
    if (Bits != 3 && bytes >= kWidth) {
        for (std::int64_t j = 0; j < bytes; j += kWidth) {
            const UInt codes = widenBytes(row + j);
#pragma GCC unroll 8
            for (int plane = 0; plane < 8 / Bits; ++plane)
                store(out + plane * bytes + j, numbers.of<Bits>(codes >> (Bits * plane)));
        }
        return;
    }
    constexpr int kLow = Bits == 3 ? 2 : Bits;
    CodeReader<kLow> low(row, headDim * kLow / 8);
    CodeReader<1> high(row + headDim * kLow / 8, headDim / 8);
    for (std::int64_t i = 0; i < headDim; i += kWidth) {
        UInt codes = low.next();
        if constexpr (Bits == 3)
            codes |= high.next() << 2;
        store(out + i, numbers.of<Bits>(codes));
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
                       std::int64_t stride, float* out) {
    if (rows.table)
        return withTableBits(rows.bits, [&]<int Bits>() {
            for (std::int64_t i = 0; i < count; ++i)
                lookUpRow<Bits>(rows.codes + slots[i] * rows.bytes, headDim, rows.table, out + i * stride);
        });
    withBits(rows.bits, [&]<int Bits>() {
        for (std::int64_t i = 0; i < count; ++i)
            expandValue<Bits>(rows.codes + slots[i] * rows.bytes, headDim, out + i * stride);
    });
}

}  // namespace kvist::kernels::KVIST_ISA
