// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/linear.h"

#include "engine/kernels/cpu/linear_cpu.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/linear.h>

#include <algorithm>
#include <optional>

namespace kvist::kernels {
namespace {

/// Rows of an 8-bit matrix that are made dense at a time: large products, little memory.
constexpr std::int64_t kDenseRows = 8192;

}  // namespace

at::Tensor linear(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& bias) {
    if (hasCpuLinear(input, {weight}, bias))
        return linearCpu(input, {weight}, bias, cpuKernels());
    return at::linear(input, weight, bias.defined() ? std::optional(bias) : std::nullopt);
}

at::Tensor linear(const at::Tensor& input, const Matrix& weight, const at::Tensor& bias) {
    if (!weight.isEightBit())
        return linear(input, weight.values, bias);
    if (hasCpuLinear(input, weight, bias))
        return linearCpu(input, weight, bias, cpuKernels());
    at::Tensor result = at::empty({input.size(0), weight.values.size(0)}, input.options());
    for (std::int64_t first = 0; first < weight.values.size(0); first += kDenseRows) {
        const std::int64_t rows = std::min(kDenseRows, weight.values.size(0) - first);
        const Matrix part{weight.values.narrow(0, first, rows), weight.scales.narrow(0, first, rows)};
        result.narrow(1, first, rows)
            .copy_(linear(input, dense(part, input.scalar_type()),
                          bias.defined() ? bias.narrow(0, first, rows) : at::Tensor()));
    }
    return result;
}

}  // namespace kvist::kernels
