// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

namespace kvist::kernels {

/// A weight matrix as products read it: numbers of a floating-point type, or 8 bits each with a scale a row.
struct Matrix {
    at::Tensor values;       ///< [out, in]; int8 in -127 … 127 where there are scales
    at::Tensor scales = {};  ///< [out] float32: row = scale · values

    bool isEightBit() const { return scales.defined(); }
    std::int64_t bytes() const { return values.nbytes() + (isEightBit() ? scales.nbytes() : 0); }
};

/// Each row over its largest magnitude, rounded to the nearest of 255 values, ties to even: no value is off by more
/// than half a scale. `weight` is [out, in] of a floating-point type, finite.
Matrix eightBit(const at::Tensor& weight);

/// [out, in] in `type`: the values themselves where they have that type.
at::Tensor dense(const Matrix& matrix, at::ScalarType type);

}  // namespace kvist::kernels
