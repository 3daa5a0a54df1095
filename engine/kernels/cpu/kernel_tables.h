// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/kernels/cpu/cpu_kernels.h"

namespace kvist::kernels {

extern const CpuKernels kPortableKernels;
#if defined(__x86_64__)
extern const CpuKernels kAvx2Kernels;    // AVX2, FMA, F16C
extern const CpuKernels kAvx512Kernels;  // AVX-512 F, BW, DQ, VL
#endif

}  // namespace kvist::kernels
