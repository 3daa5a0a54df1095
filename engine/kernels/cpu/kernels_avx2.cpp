// SPDX-License-Identifier: GPL-3.0-or-later
#define KVIST_ISA avx2
#define KVIST_VECTOR_BYTES 32
#include "engine/kernels/cpu/kernel_tables.h"
#include "engine/kernels/cpu/vector/table.h"

namespace kvist::kernels {

const CpuKernels kAvx2Kernels = avx2::table("avx2");

}  // namespace kvist::kernels
