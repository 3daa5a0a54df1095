// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <c10/util/Half.h>

#include <cstdint>

namespace kvist {

/// Scale and minimum of a group of numbers, in half precision as they are stored (Liu et al. 2024, "KIVI", arXiv
/// 2402.02750, equation 2): code = round((x − minimum) / scale), halves to even, and x ≈ minimum + scale · code.
struct MinMaxScale {
    c10::Half scale;
    c10::Half minimum;

    /// Of numbers values[0], values[stride], …; codes reach from 0 to `highest`. Throws EngineError(Numerical) for
    /// numbers that are not finite or beyond half precision.
    static MinMaxScale of(const float* values, std::int64_t count, std::int64_t stride, unsigned highest);

    unsigned code(float value, unsigned highest) const;
    float value(unsigned code) const {
        return static_cast<float>(minimum) + static_cast<float>(scale) * static_cast<float>(code);
    }
};

}  // namespace kvist
