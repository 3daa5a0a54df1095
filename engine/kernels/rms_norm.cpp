// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/rms_norm.h"

#include "engine/kernels/cpu/row_operations_cpu.h"

#include <ATen/ops/mean.h>

namespace kvist::kernels {

at::Tensor rmsNormReference(const at::Tensor& x, const at::Tensor& weight, double eps) {
    const auto type = x.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
    const at::Tensor wide = x.to(type);
    const at::Tensor scale = wide.square().mean(-1, /*keepdim=*/true).add_(eps).rsqrt_();  // [rows, 1]
    return wide.mul(scale).to(x.scalar_type()).mul_(weight);
}

at::Tensor rmsNorm(const at::Tensor& x, const at::Tensor& weight, double eps) {
    return hasCpuRmsNorm(x, weight) ? rmsNormCpu(x, weight, eps, cpuKernels()) : rmsNormReference(x, weight, eps);
}

}  // namespace kvist::kernels
