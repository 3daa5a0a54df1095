// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/attention.h"

#include "engine/kernels/attention_cuda.h"
#include "engine/kernels/cpu/attention_cpu.h"
#include "engine/kernels/cuda_module.h"

namespace kvist::kernels {

AttentionResult attention(const AttentionCall& call) {
    if (hasCpuAttention(call))
        return attentionCpu(call, cpuKernels());
    if (hasCudaDecodeAttention(call)) {
        if (const CudaModule* module = CudaModule::instance())
            return decodeAttentionCuda(call, *module);
    }
    return attentionReference(call);
}

}  // namespace kvist::kernels
