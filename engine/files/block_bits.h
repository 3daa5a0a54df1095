// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <c10/util/Half.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

/// Small readers that the block decoders share.
namespace kvist::blocks {

inline unsigned byteAt(const std::byte* bytes, int index) {
    return std::to_integer<unsigned>(bytes[index]);
}

inline int signedAt(const std::byte* bytes, int index) {
    return static_cast<std::int8_t>(byteAt(bytes, index));
}

/// A float16 as float32, exact.
inline float halfAt(const std::byte* bytes) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, bytes, sizeof bits);
    return c10::detail::fp16_ieee_to_fp32_value(bits);
}

inline std::uint32_t wordAt(const std::byte* bytes) {
    std::uint32_t word = 0;
    std::memcpy(&word, bytes, sizeof word);
    return word;
}

}  // namespace kvist::blocks
