// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/kernels/attention.h"

namespace kvist::kernels {

class CudaModule;

/// Whether decodeAttentionCuda() takes this call: one query on a GPU, float32, bfloat16 or float16, rows of whole
/// 16-byte vectors. Asks nothing of the device.
bool hasCudaDecodeAttention(const AttentionCall& call);

/// Reads each entry once for the whole group, on the current stream, without waiting for it. Needs
/// hasCudaDecodeAttention().
AttentionResult decodeAttentionCuda(const AttentionCall& call, const CudaModule& module);

}  // namespace kvist::kernels
