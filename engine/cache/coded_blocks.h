// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <span>

#include "engine/cache/layer_cache.h"
#include "engine/kernels/cpu/coded_attention_cpu.h"

namespace kvist {

/// A coded cache as the CPU's kernel for coded entries reads it; pointers into the cache. Nothing where the kernel
/// does not know the form. It reads ChannelCodec keys in groups of 32 and TokenCodec values with groups of 32 channels,
/// or plain rows in place of either, of float32, bfloat16 or float16; or keys and values by RotationCodec of 64, 128, …
/// dimensions, for which queries and tails are turned, so that the context is to be turned back with the values' basis.
std::optional<kernels::CodedAttentionCall> codedBlocks(const LayerCache& cache, const at::Tensor& queries,
                                                       std::span<const std::int64_t> held);

}  // namespace kvist
