// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace kvist::kernels {

/// Types that the CPU kernels read and write; arithmetic is float32 throughout.
enum class Element { Float32, BFloat16, Float16 };

/// 16-bit elements as bits: only the vector headers convert them.
struct BFloat16 {
    std::uint16_t bits;
};
struct Float16 {
    std::uint16_t bits;
};

}  // namespace kvist::kernels
