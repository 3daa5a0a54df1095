// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/files/block_format.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <array>

#include "engine/files/block_decoders.h"

namespace kvist {
namespace {

/// Numbers and sizes from ggml.h and ggml-common.h of llama.cpp (MIT licence).
constexpr std::array<BlockFormat, 24> kFormats = {{
    {"Q4_0", 2, 32, 18, blocks::decodeQ4_0},
    {"Q4_1", 3, 32, 20, blocks::decodeQ4_1},
    {"Q5_0", 6, 32, 22, blocks::decodeQ5_0},
    {"Q5_1", 7, 32, 24, blocks::decodeQ5_1},
    {"Q8_0", 8, 32, 34, blocks::decodeQ8_0},
    {"Q8_1", 9, 32, 36, nullptr},
    {"Q2_K", 10, 256, 84, blocks::decodeQ2K},
    {"Q3_K", 11, 256, 110, blocks::decodeQ3K},
    {"Q4_K", 12, 256, 144, blocks::decodeQ4K},
    {"Q5_K", 13, 256, 176, blocks::decodeQ5K},
    {"Q6_K", 14, 256, 210, blocks::decodeQ6K},
    {"Q8_K", 15, 256, 292, nullptr},
    {"IQ2_XXS", 16, 256, 66, nullptr},
    {"IQ2_XS", 17, 256, 74, nullptr},
    {"IQ3_XXS", 18, 256, 98, nullptr},
    {"IQ1_S", 19, 256, 50, nullptr},
    {"IQ4_NL", 20, 32, 18, blocks::decodeIq4Nl},
    {"IQ3_S", 21, 256, 110, nullptr},
    {"IQ2_S", 22, 256, 82, nullptr},
    {"IQ4_XS", 23, 256, 136, nullptr},
    {"IQ1_M", 29, 256, 56, nullptr},
    {"TQ1_0", 34, 256, 54, nullptr},
    {"TQ2_0", 35, 256, 66, nullptr},
    {"MXFP4", 39, 32, 17, nullptr},
}};

}  // namespace

const BlockFormat* blockFormat(std::uint32_t number) {
    const auto* found =
        std::find_if(kFormats.begin(), kFormats.end(), [&](const BlockFormat& one) { return one.number == number; });
    return found == kFormats.end() ? nullptr : found;
}

const char* readableBlockFormats() {
    return "F32, F16, BF16, Q8_0, Q4_0, Q4_1, Q5_0, Q5_1, Q2_K, Q3_K, Q4_K, Q5_K, Q6_K and IQ4_NL";
}

void decodeBlocks(const BlockFormat& format, const std::byte* blocks, std::int64_t count, float* elements) {
    constexpr std::int64_t kGrain = 16384;  // elements
    at::parallel_for(0, count, std::max<std::int64_t>(1, kGrain / format.elements),
                     [&](std::int64_t begin, std::int64_t end) {
                         for (std::int64_t block = begin; block < end; ++block) {
                             format.decode(blocks + block * format.bytes, elements + block * format.elements);
                         }
                     });
}

}  // namespace kvist
