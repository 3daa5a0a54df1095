// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/cpu/cpu_kernels.h"

#include "engine/kernels/cpu/kernel_tables.h"

#include <vector>

namespace kvist::kernels {

namespace {

std::vector<const CpuKernels*> detect() {
    std::vector<const CpuKernels*> found;
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        found.push_back(&kAvx512Kernels);
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        found.push_back(&kAvx2Kernels);
#endif
    found.push_back(&kPortableKernels);
    return found;
}

}  // namespace

std::span<const CpuKernels* const> supportedCpuKernels() {
    static const std::vector<const CpuKernels*> supported = detect();
    return supported;
}

const CpuKernels& cpuKernels() {
    static const CpuKernels& fastest = *supportedCpuKernels().front();
    return fastest;
}

}  // namespace kvist::kernels
