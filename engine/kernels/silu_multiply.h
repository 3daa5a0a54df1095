// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

namespace kvist::kernels {

/// The gated activation silu(gate) · up. gateUp: [rows, 2 · inner], the gate's columns first. Returns
/// [rows, inner]. silu is computed in float32 and rounded to the tensor's type before the product, which is
/// rounded again, as separate operations on 16-bit tensors do. float64 is computed in float64.
at::Tensor siluMultiply(const at::Tensor& gateUp);

/// The same in plain libtorch operations, on any device.
at::Tensor siluMultiplyReference(const at::Tensor& gateUp);

}  // namespace kvist::kernels
