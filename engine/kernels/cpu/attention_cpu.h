// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/kernels/attention.h"
#include "engine/kernels/cpu/cpu_kernels.h"

namespace kvist::kernels {

/// Whether attentionCpu() takes this call: CPU tensors of float32, bfloat16 or float16 with innermost stride 1.
bool hasCpuAttention(const AttentionCall& call);

/// Attention in tiles of queries and blocks of slots. Each thread reads an equal share of the slots of all heads
/// once per tile; partial results are brought together in a fixed order, so that equal inputs and an equal number
/// of threads give equal bits. Needs hasCpuAttention().
AttentionResult attentionCpu(const AttentionCall& call, const CpuKernels& kernels);

}  // namespace kvist::kernels
