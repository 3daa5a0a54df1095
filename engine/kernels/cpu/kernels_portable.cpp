// SPDX-License-Identifier: GPL-3.0-or-later
#define KVIST_ISA portable
#define KVIST_VECTOR_BYTES 16
#include "engine/kernels/cpu/kernel_tables.h"
#include "engine/kernels/cpu/vector/table.h"

namespace kvist::kernels {

const CpuKernels kPortableKernels = portable::table("portable");

}  // namespace kvist::kernels
