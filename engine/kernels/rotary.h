// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

namespace kvist::kernels {

/// Rotary position embedding in the half-split layout, in place: components j and j + d/2 of each head form a
/// pair that is turned by the angle of (row, j). Computed in float32 (float64 for float64 x) and rounded once.
/// x: [n, heads, d], innermost stride 1, other strides free (a slice of a fused projection is fine).
/// cos, sin: [n, d/2], float32 (or float64 for float64 x).
void rotateInPlace(at::Tensor& x, const at::Tensor& cos, const at::Tensor& sin);

/// The same in plain libtorch operations, on any device.
void rotateInPlaceReference(at::Tensor& x, const at::Tensor& cos, const at::Tensor& sin);

}  // namespace kvist::kernels
