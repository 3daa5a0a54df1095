// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/kernels/cpu/cpu_kernels.h"

#include <ATen/core/Tensor.h>

namespace kvist::kernels {

// rmsNorm(), siluMultiply() and rotateInPlace() in a single pass, rows split over threads. The questions say
// whether a call suits: CPU tensors of one type (float32, bfloat16, float16) without gaps within a row.

bool hasCpuRmsNorm(const at::Tensor& x, const at::Tensor& weight);
at::Tensor rmsNormCpu(const at::Tensor& x, const at::Tensor& weight, double eps, const CpuKernels& kernels);

bool hasCpuSiluMultiply(const at::Tensor& gateUp);
at::Tensor siluMultiplyCpu(const at::Tensor& gateUp, const CpuKernels& kernels);

bool hasCpuRotate(const at::Tensor& x, const at::Tensor& cos, const at::Tensor& sin);
void rotateInPlaceCpu(at::Tensor& x, const at::Tensor& cos, const at::Tensor& sin, const CpuKernels& kernels);

}  // namespace kvist::kernels
