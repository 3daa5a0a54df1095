// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/linear.h"

#include "engine/kernels/cpu/linear_cpu.h"

#include <ATen/ops/linear.h>

#include <optional>

namespace kvist::kernels {

at::Tensor linear(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& bias) {
    if (hasCpuLinear(input, weight, bias))
        return linearCpu(input, weight, bias, cpuKernels());
    return at::linear(input, weight, bias.defined() ? std::optional(bias) : std::nullopt);
}

}  // namespace kvist::kernels
