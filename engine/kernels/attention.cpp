// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/attention.h"

#include "engine/kernels/cpu/attention_cpu.h"

namespace kvist::kernels {

AttentionResult attention(const AttentionCall& call) {
    return hasCpuAttention(call) ? attentionCpu(call, cpuKernels()) : attentionReference(call);
}

}  // namespace kvist::kernels
