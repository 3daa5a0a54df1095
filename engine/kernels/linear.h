// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include "engine/kernels/matrix.h"

namespace kvist::kernels {

/// input · weightᵀ + bias: [rows, in] × [out, in] → [rows, out], in the input's type, accumulated in float32
/// or wider. `bias` is [out] or undefined. One row is bound by reading the weights and has a kernel of its
/// own on CPU; more rows go to libtorch.
at::Tensor linear(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& bias);

/// The same; an 8-bit matrix is read as it is for few rows on CPU, and else made dense block by block.
at::Tensor linear(const at::Tensor& input, const Matrix& weight, const at::Tensor& bias);

}  // namespace kvist::kernels
