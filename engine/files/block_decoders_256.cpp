// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/files/block_bits.h"
#include "engine/files/block_decoders.h"

namespace kvist::blocks {
namespace {

/// A block is eight runs of 32 elements; each takes its codes from 32 bytes in a row, at one shift.
constexpr int kRuns = 8;
constexpr int kRun = 32;

/// Two bits a code: four runs share 32 bytes.
struct TwoBits {
    const std::byte* codes;
    int run;
    int operator()(int i) const { return static_cast<int>((byteAt(codes, run / 4 * kRun + i) >> (run % 4 * 2)) & 3); }
};

/// Four bits a code: two runs share 32 bytes.
struct FourBits {
    const std::byte* codes;
    int run;
    int operator()(int i) const {
        return static_cast<int>((byteAt(codes, run / 2 * kRun + i) >> (run % 2 * 4)) & 0x0F);
    }
};

/// One bit a code: all runs share 32 bytes.
int oneBit(const std::byte* codes, int run, int i) {
    return static_cast<int>((byteAt(codes, i) >> run) & 1);
}

/// Scale and minimum of a run of Q4_K and Q5_K, six bits each.
struct ScaleAndLeast {
    float scale;
    float least;
};

ScaleAndLeast scaleAndLeast(const std::byte* packed, int run) {
    if (run < 4) {
        return {static_cast<float>(byteAt(packed, run) & 0x3F), static_cast<float>(byteAt(packed, run + 4) & 0x3F)};
    }
    const int low = run - 4;
    const unsigned both = byteAt(packed, low + 8);
    return {static_cast<float>((both & 0x0F) | ((byteAt(packed, low) >> 2) & 0x30)),
            static_cast<float>((both >> 4) | ((byteAt(packed, low + 4) >> 2) & 0x30))};
}

/// Q4_K and Q5_K: a step and an offset for each run; code(run, i) without them.
template <typename Code>
void decodeRuns(const std::byte* block, float* out, Code code) {
    const float scale = halfAt(block);
    const float least = halfAt(block + 2);
    for (int run = 0; run < kRuns; ++run) {
        const auto [factor, minimum] = scaleAndLeast(block + 4, run);
        const float step = scale * factor;
        const float offset = least * minimum;
        for (int i = 0; i < kRun; ++i) {
            out[kRun * run + i] = step * static_cast<float>(code(run, i)) - offset;
        }
    }
}

/// Scale of one of the sixteen half runs of Q3_K, six bits, from −32.
int signedScale(const std::byte* packed, int index) {
    const unsigned low = (byteAt(packed, index % 8) >> (index / 8 * 4)) & 0x0F;
    const unsigned high = (byteAt(packed, 8 + index % 4) >> (index / 4 * 2)) & 3;
    return static_cast<int>(low | high << 4) - 32;
}

}  // namespace

void decodeQ2K(const std::byte* block, float* out) {
    const float scale = halfAt(block + 80);
    const float least = halfAt(block + 82);
    for (int run = 0; run < kRuns; ++run) {
        const TwoBits code{block + 16, run};
        for (int half = 0; half < 2; ++half) {
            const unsigned packed = byteAt(block, 2 * run + half);
            const float step = scale * static_cast<float>(packed & 0x0F);
            const float offset = least * static_cast<float>(packed >> 4);
            for (int i = kRun / 2 * half; i < kRun / 2 * (half + 1); ++i) {
                out[kRun * run + i] = step * static_cast<float>(code(i)) - offset;
            }
        }
    }
}

void decodeQ3K(const std::byte* block, float* out) {
    const float scale = halfAt(block + 108);
    for (int run = 0; run < kRuns; ++run) {
        const TwoBits code{block + 32, run};
        for (int half = 0; half < 2; ++half) {
            const float step = scale * static_cast<float>(signedScale(block + 96, 2 * run + half));
            for (int i = kRun / 2 * half; i < kRun / 2 * (half + 1); ++i) {
                // The offset is zero where the bit is set.
                const int offset = 4 - 4 * oneBit(block, run, i);
                out[kRun * run + i] = step * static_cast<float>(code(i) - offset);
            }
        }
    }
}

void decodeQ4K(const std::byte* block, float* out) {
    decodeRuns(block, out, [&](int run, int i) { return FourBits{block + 16, run}(i); });
}

void decodeQ5K(const std::byte* block, float* out) {
    decodeRuns(block, out, [&](int run, int i) {
        return FourBits{block + 48, run}(i) | oneBit(block + 16, run, i) << 4;
    });
}

void decodeQ6K(const std::byte* block, float* out) {
    const float scale = halfAt(block + 208);
    for (int run = 0; run < kRuns; ++run) {
        // Low four bits: of each 64 bytes the low halves are the first two runs, the high halves the next two.
        const std::byte* low = block + 64 * (run / 4) + kRun * (run % 2);
        const int shift = run % 4 / 2 * 4;
        const TwoBits high{block + 128, run};
        for (int half = 0; half < 2; ++half) {
            const float step = scale * static_cast<float>(signedAt(block + 192, 2 * run + half));
            for (int i = kRun / 2 * half; i < kRun / 2 * (half + 1); ++i) {
                const int four = static_cast<int>((byteAt(low, i) >> shift) & 0x0F);
                out[kRun * run + i] = step * static_cast<float>((four | high(i) << 4) - 32);
            }
        }
    }
}

}  // namespace kvist::blocks
