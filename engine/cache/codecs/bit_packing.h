// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

namespace kvist {

/// Bytes of `count` codes of 1, 2, 4 or 8 bits.
constexpr std::int64_t packedBytes(std::int64_t count, int bits) {
    return (count * bits + 7) / 8;
}

/// Code i lies in byte i % n at bit `bits` · (i / n) of n bytes: a shift and a mask of n bytes give n codes in
/// order. `out` is zero before.
inline void packCode(std::byte* out, std::int64_t bytes, int bits, std::int64_t i, unsigned code) {
    out[i % bytes] |= static_cast<std::byte>(code << (static_cast<unsigned>(bits) * static_cast<unsigned>(i / bytes)));
}

/// Calls use(i, code) for i = 0 … count − 1.
template <typename Use>
inline void unpackCodes(const std::byte* in, int bits, std::int64_t count, Use use) {
    const std::int64_t bytes = packedBytes(count, bits);
    const unsigned mask = (1U << static_cast<unsigned>(bits)) - 1U;
    unsigned shift = 0;
    for (std::int64_t first = 0; first < count; first += bytes) {
        const std::int64_t end = count - first < bytes ? count - first : bytes;
        for (std::int64_t j = 0; j < end; ++j) {
            use(first + j, (std::to_integer<unsigned>(in[j]) >> shift) & mask);
        }
        shift += static_cast<unsigned>(bits);
    }
}

}  // namespace kvist
