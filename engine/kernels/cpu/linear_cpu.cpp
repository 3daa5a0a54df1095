// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/cpu/linear_cpu.h"

#include "engine/kernels/cpu/scratch.h"
#include "engine/kernels/cpu/tensor_element.h"

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>

#include <algorithm>

namespace kvist::kernels {

namespace {

/// Weights that are worth a thread.
constexpr std::int64_t kBytesOfThread = 64 * 1024;
/// Threads share the outputs in steps of this many, so that none handles odd rows but the last.
constexpr std::int64_t kRowStep = 8;

thread_local Scratch t_scratch;

}  // namespace

bool hasCpuLinear(const at::Tensor& input, const Matrix& weight, const at::Tensor& bias) {
    const auto type = cpuElement(input);
    const at::Tensor& values = weight.values;
    const bool isReadable =
        weight.isEightBit() ? values.device().is_cpu() && weight.scales.is_contiguous() : type == cpuElement(values);
    return input.dim() == 2 && input.size(0) >= 1 && input.size(0) <= kMaxLinearRows && type && isReadable &&
           (!bias.defined() || (type == cpuElement(bias) && bias.is_contiguous())) && input.stride(1) == 1 &&
           values.stride(1) == 1 && values.size(1) == input.size(1);
}

at::Tensor linearCpu(const at::Tensor& input, const Matrix& matrix, const at::Tensor& bias, const CpuKernels& kernels) {
    const at::Tensor& weight = matrix.values;
    LinearJob job{};
    job.type = *cpuElement(input);
    job.rows = input.size(0);
    job.in = input.size(1);
    job.weightStride = weight.stride(0);
    job.outStride = weight.size(0);
    job.weight = weight.const_data_ptr();
    job.scales = matrix.isEightBit() ? matrix.scales.const_data_ptr<float>() : nullptr;
    job.bias = bias.defined() ? bias.const_data_ptr() : nullptr;
    at::Tensor out = at::empty({job.rows, job.outStride}, input.options());
    job.out = out.mutable_data_ptr();

    // Elements are packed in the order in which the kernel meets those of the weight's type; 8-bit ones come as
    // float32 does.
    const at::Tensor ordered = job.scales ? input.to(at::kFloat) : input;
    const std::int64_t padded = paddedDepth(job.in);
    float* packed = t_scratch.floats(static_cast<std::size_t>(job.rows * padded));
    for (std::int64_t row = 0; row < job.rows; ++row) {
        const auto* from =
            static_cast<const char*>(ordered.const_data_ptr()) + row * ordered.stride(0) * ordered.element_size();
        kernels.packInput(*cpuElement(ordered), from, job.in, packed + row * padded);
    }
    job.packedInput = packed;

    const std::int64_t steps = (job.outStride + kRowStep - 1) / kRowStep;
    const std::int64_t stepBytes = kRowStep * std::max<std::int64_t>(job.in, 1) * weight.element_size();
    at::parallel_for(0, steps, std::max<std::int64_t>(kBytesOfThread / stepBytes, 1),
                     [&](std::int64_t begin, std::int64_t end) {
                         kernels.linear(job, begin * kRowStep, std::min(end * kRowStep, job.outStride));
                     });
    return out;
}

}  // namespace kvist::kernels
