// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "engine/kernels/attention.h"
#include "engine/kernels/cpu/coded_attention.h"

namespace kvist::kernels {

/// What one KV head holds: blocks in order of their entries.
struct CodedHead {
    std::vector<CodedBlock> blocks;
    const std::byte* keyCodes = nullptr;  ///< of slot 0
    const std::byte* valueCodes = nullptr;
    std::int64_t visible = 0;  ///< entries that the chunk's first query sees; each later query sees one more
};

/// Attention over coded entries without a decoded copy of them.
struct CodedAttentionCall {
    at::Tensor queries;            ///< [chunk, query_heads, head_dim], innermost stride 1
    std::vector<CodedHead> heads;  ///< by KV head
    Element stored;                ///< of plain rows
    std::int64_t keyStride = 0;    ///< elements between plain rows
    std::int64_t valueStride = 0;
    int groupBits = 8;      ///< of keys coded in groups
    RowCodes keyRows = {};  ///< of any head
    RowCodes valueRows = {};
    double scale = 1.0;
    bool wantsMass = false;
    std::vector<at::Tensor> held = {};  ///< what blocks point to and nobody else keeps
};

/// Results as of attention(), slots being entries in order; float32 arithmetic. Equal inputs and an equal number of
/// threads give equal bits. head_dim is a multiple of 32, of 64 where rows are coded with a table.
AttentionResult codedAttentionCpu(const CodedAttentionCall& call, const CpuKernels& kernels);

}  // namespace kvist::kernels
