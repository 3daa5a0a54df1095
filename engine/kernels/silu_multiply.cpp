// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/silu_multiply.h"

#include "engine/kernels/cpu/row_operations_cpu.h"

#include <ATen/ops/silu.h>

namespace kvist::kernels {

at::Tensor siluMultiplyReference(const at::Tensor& gateUp) {
    const std::int64_t inner = gateUp.size(-1) / 2;
    return at::silu(gateUp.narrow(-1, 0, inner)).mul_(gateUp.narrow(-1, inner, inner));
}

at::Tensor siluMultiply(const at::Tensor& gateUp) {
    return hasCpuSiluMultiply(gateUp) ? siluMultiplyCpu(gateUp, cpuKernels()) : siluMultiplyReference(gateUp);
}

}  // namespace kvist::kernels
