// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/kernels/cpu/cpu_kernels.h"
#include "engine/kernels/matrix.h"

#include <ATen/core/Tensor.h>

namespace kvist::kernels {

/// Whether linearCpu() takes this call: few rows, CPU tensors of one type (float32, bfloat16, float16) or 8-bit
/// weights, rows without gaps.
bool hasCpuLinear(const at::Tensor& input, const Matrix& weight, const at::Tensor& bias);

/// Reads each weight once for all rows, threads splitting the outputs. Needs hasCpuLinear().
at::Tensor linearCpu(const at::Tensor& input, const Matrix& weight, const at::Tensor& bias, const CpuKernels& kernels);

}  // namespace kvist::kernels
