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

bool hasCpuLinear(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& bias) {
    const auto type = cpuElement(weight);
    return input.dim() == 2 && input.size(0) >= 1 && input.size(0) <= kMaxLinearRows && type &&
           type == cpuElement(input) && (!bias.defined() || (type == cpuElement(bias) && bias.is_contiguous())) &&
           input.stride(1) == 1 && weight.stride(1) == 1 && weight.size(1) == input.size(1);
}

at::Tensor linearCpu(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& bias,
                     const CpuKernels& kernels) {
    LinearJob job{};
    job.type = *cpuElement(weight);
    job.rows = input.size(0);
    job.in = input.size(1);
    job.weightStride = weight.stride(0);
    job.outStride = weight.size(0);
    job.weight = weight.const_data_ptr();
    job.bias = bias.defined() ? bias.const_data_ptr() : nullptr;
    at::Tensor out = at::empty({job.rows, job.outStride}, input.options());
    job.out = out.mutable_data_ptr();

    const std::int64_t padded = paddedDepth(job.in);
    float* packed = t_scratch.floats(static_cast<std::size_t>(job.rows * padded));
    for (std::int64_t row = 0; row < job.rows; ++row) {
        const auto* from =
            static_cast<const char*>(input.const_data_ptr()) + row * input.stride(0) * input.element_size();
        kernels.packInput(job.type, from, job.in, packed + row * padded);
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
