// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/rotary.h"

#include "engine/kernels/cpu/row_operations_cpu.h"

namespace kvist::kernels {

void rotateInPlaceReference(at::Tensor& x, const at::Tensor& cos, const at::Tensor& sin) {
    const std::int64_t half = x.size(-1) / 2;
    const auto type = x.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
    const at::Tensor c = cos.to(type).unsqueeze(1);  // [n, 1, d/2]
    const at::Tensor s = sin.to(type).unsqueeze(1);
    const at::Tensor low = x.narrow(-1, 0, half).to(type);
    const at::Tensor high = x.narrow(-1, half, half).to(type);
    const at::Tensor newLow = low.mul(c).sub_(high.mul(s));
    const at::Tensor newHigh = high.mul(c).add_(low.mul(s));
    x.narrow(-1, 0, half).copy_(newLow);
    x.narrow(-1, half, half).copy_(newHigh);
}

void rotateInPlace(at::Tensor& x, const at::Tensor& cos, const at::Tensor& sin) {
    if (hasCpuRotate(x, cos, sin))
        rotateInPlaceCpu(x, cos, sin, cpuKernels());
    else
        rotateInPlaceReference(x, cos, sin);
}

}  // namespace kvist::kernels
