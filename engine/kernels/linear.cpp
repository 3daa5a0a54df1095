// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/linear.h"

#include <ATen/ops/linear.h>

#include <optional>

namespace kvist::kernels {

at::Tensor linear(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& bias) {
    return at::linear(input, weight, bias.defined() ? std::optional(bias) : std::nullopt);
}

}  // namespace kvist::kernels
