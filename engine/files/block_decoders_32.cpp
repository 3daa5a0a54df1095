// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>

#include "engine/files/block_bits.h"
#include "engine/files/block_decoders.h"

namespace kvist::blocks {
namespace {

constexpr int kHalf = 16;

/// Calls each(element, code): low four bits are the first half of the block, high four the second.
template <typename Each>
void forNibbles(const std::byte* codes, Each each) {
    for (int i = 0; i < kHalf; ++i) {
        each(i, static_cast<int>(byteAt(codes, i) & 0x0F));
        each(i + kHalf, static_cast<int>(byteAt(codes, i) >> 4));
    }
}

/// A fifth bit for each element.
int withBit(int code, std::uint32_t high, int element) {
    return code | static_cast<int>((high >> element) & 1) << 4;
}

}  // namespace

void decodeQ4_0(const std::byte* block, float* out) {
    const float scale = halfAt(block);
    forNibbles(block + 2, [&](int element, int code) { out[element] = scale * static_cast<float>(code - 8); });
}

void decodeQ4_1(const std::byte* block, float* out) {
    const float scale = halfAt(block);
    const float least = halfAt(block + 2);
    forNibbles(block + 4, [&](int element, int code) { out[element] = scale * static_cast<float>(code) + least; });
}

void decodeQ5_0(const std::byte* block, float* out) {
    const float scale = halfAt(block);
    const std::uint32_t high = wordAt(block + 2);
    forNibbles(block + 6, [&](int element, int code) {
        out[element] = scale * static_cast<float>(withBit(code, high, element) - 16);
    });
}

void decodeQ5_1(const std::byte* block, float* out) {
    const float scale = halfAt(block);
    const float least = halfAt(block + 2);
    const std::uint32_t high = wordAt(block + 4);
    forNibbles(block + 8, [&](int element, int code) {
        out[element] = scale * static_cast<float>(withBit(code, high, element)) + least;
    });
}

void decodeQ8_0(const std::byte* block, float* out) {
    const float scale = halfAt(block);
    for (int element = 0; element < 2 * kHalf; ++element) {
        out[element] = static_cast<float>(signedAt(block + 2, element)) * scale;
    }
}

void decodeIq4Nl(const std::byte* block, float* out) {
    constexpr std::array<float, 16> kValues = {-127, -104, -83, -65, -49, -35, -22, -10,
                                               1,    13,   25,  38,  53,  69,  89,  113};
    const float scale = halfAt(block);
    forNibbles(block + 2,
               [&](int element, int code) { out[element] = scale * kValues[static_cast<std::size_t>(code)]; });
}

}  // namespace kvist::blocks
