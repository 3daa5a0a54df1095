// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/attention.h"

#include "engine/kernels/attention_cuda.h"
#include "engine/kernels/cpu/attention_cpu.h"
#include "engine/kernels/cuda_module.h"

namespace kvist::kernels {
namespace {

AttentionResult attendOnly(const AttentionCall& call) {
    return hasCpuAttention(call) ? attentionCpu(call, cpuKernels()) : attentionReference(call);
}

}  // namespace

AttentionResult attention(const AttentionCall& call) {
    if (hasCudaDecodeAttention(call)) {
        if (const CudaModule* module = CudaModule::instance())
            return decodeAttentionCuda(call, *module);
    }
    if (!call.scores.defined())
        return attendOnly(call);
    AttentionCall showing = call;
    showing.wantsMass = true;
    AttentionResult result = attendOnly(showing);
    const at::Tensor mean = result.mass.sum(0) / static_cast<double>(call.queries.size(1));  // [slots]
    call.scores.narrow(0, 0, mean.size(0)).add_(mean.to(at::kFloat));
    if (!call.wantsMass)
        result.mass = at::Tensor();
    return result;
}

}  // namespace kvist::kernels
