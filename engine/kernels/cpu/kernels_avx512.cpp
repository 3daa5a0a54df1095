// SPDX-License-Identifier: GPL-3.0-or-later
#define KVIST_ISA avx512
#define KVIST_VECTOR_BYTES 64
#include "engine/kernels/cpu/kernel_tables.h"
#include "engine/kernels/cpu/vector/table.h"

namespace kvist::kernels {

const CpuKernels kAvx512Kernels = avx512::table("avx512");

}  // namespace kvist::kernels
