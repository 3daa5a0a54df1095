// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

namespace kvist::kernels {

/// Root-mean-square normalisation over the last dimension: x / sqrt(mean(x²) + eps), computed in float32 and
/// rounded to x's type before it is multiplied by `weight` in that type (as Qwen2's own code does; the order of
/// the roundings shows in 16-bit results). float64 is computed in float64.
/// x: [rows, width]; weight: [width], of x's type. Returns [rows, width].
at::Tensor rmsNorm(const at::Tensor& x, const at::Tensor& weight, double eps);

/// The same in plain libtorch operations, on any device.
at::Tensor rmsNormReference(const at::Tensor& x, const at::Tensor& weight, double eps);

}  // namespace kvist::kernels
