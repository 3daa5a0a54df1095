// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <span>

#include "engine/cache/layer_cache.h"
#include "engine/kernels/attention.h"

namespace kvist {

/// Attention of a chunk of queries [chunk, query_heads, head_dim] over what a layer holds; the chunk's own entries
/// are the last ones, and `held` are those of each KV head before it. Masks, types and results as
/// kernels::attention(). Entries of a coded cache are decoded on the way where a kernel
/// knows their form, else head by head into scratch memory that is given back.
kernels::AttentionResult attendEntries(const LayerCache& cache, const at::Tensor& queries,
                                       std::span<const std::int64_t> held, bool wantsMass);

}  // namespace kvist
