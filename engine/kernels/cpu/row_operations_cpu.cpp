// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/cpu/row_operations_cpu.h"

#include "engine/kernels/cpu/tensor_element.h"

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>

#include <algorithm>

namespace kvist::kernels {

namespace {

/// Elements that are worth a thread.
constexpr std::int64_t kElementsOfThread = 32'768;

/// Calls f(row) for all rows; threads share them where there is enough to do.
template <class F>
void forEachRow(std::int64_t rows, std::int64_t width, F f) {
    const std::int64_t grain = std::max<std::int64_t>(kElementsOfThread / std::max<std::int64_t>(width, 1), 1);
    at::parallel_for(0, rows, grain, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end; ++row)
            f(row);
    });
}

const char* constBytes(const at::Tensor& tensor) {
    return static_cast<const char*>(tensor.const_data_ptr());
}

char* bytes(at::Tensor& tensor) {
    return static_cast<char*>(tensor.mutable_data_ptr());
}

}  // namespace

bool hasCpuRmsNorm(const at::Tensor& x, const at::Tensor& weight) {
    const auto type = cpuElement(x);
    return type && type == cpuElement(weight) && x.dim() == 2 && x.stride(1) == 1 && weight.is_contiguous();
}

at::Tensor rmsNormCpu(const at::Tensor& x, const at::Tensor& weight, double eps, const CpuKernels& kernels) {
    const std::int64_t width = x.size(1);
    at::Tensor out = at::empty({x.size(0), width}, x.options());
    const Element type = *cpuElement(x);
    const std::int64_t size = x.element_size();
    const char* from = constBytes(x);
    char* to = bytes(out);
    forEachRow(x.size(0), width, [&](std::int64_t row) {
        kernels.rmsNormRow(type, from + row * x.stride(0) * size, weight.const_data_ptr(), width,
                           static_cast<float>(eps), to + row * width * size);
    });
    return out;
}

bool hasCpuSiluMultiply(const at::Tensor& gateUp) {
    return cpuElement(gateUp) && gateUp.dim() == 2 && gateUp.stride(1) == 1;
}

at::Tensor siluMultiplyCpu(const at::Tensor& gateUp, const CpuKernels& kernels) {
    const std::int64_t inner = gateUp.size(1) / 2;
    at::Tensor out = at::empty({gateUp.size(0), inner}, gateUp.options());
    const Element type = *cpuElement(gateUp);
    const std::int64_t size = gateUp.element_size();
    const char* from = constBytes(gateUp);
    char* to = bytes(out);
    forEachRow(gateUp.size(0), inner, [&](std::int64_t row) {
        const char* gate = from + row * gateUp.stride(0) * size;
        kernels.siluMultiplyRow(type, gate, gate + inner * size, inner, to + row * inner * size);
    });
    return out;
}

bool hasCpuRotate(const at::Tensor& x, const at::Tensor& cos, const at::Tensor& sin) {
    return cpuElement(x) && x.dim() == 3 && x.stride(2) == 1 && cpuElement(cos) == Element::Float32 &&
           cpuElement(sin) == Element::Float32 && cos.is_contiguous() && sin.is_contiguous();
}

void rotateInPlaceCpu(at::Tensor& x, const at::Tensor& cos, const at::Tensor& sin, const CpuKernels& kernels) {
    const std::int64_t heads = x.size(1);
    const std::int64_t half = x.size(2) / 2;
    const Element type = *cpuElement(x);
    const std::int64_t size = x.element_size();
    char* base = bytes(x);
    const float* cosines = cos.const_data_ptr<float>();
    const float* sines = sin.const_data_ptr<float>();
    forEachRow(x.size(0), heads * half * 2, [&](std::int64_t row) {
        for (std::int64_t head = 0; head < heads; ++head)
            kernels.rotateHead(type, base + (row * x.stride(0) + head * x.stride(1)) * size, cosines + row * half,
                               sines + row * half, half);
    });
}

}  // namespace kvist::kernels
