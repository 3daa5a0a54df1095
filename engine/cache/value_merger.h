// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <span>

#include "engine/cache/entry_index.h"
#include "engine/cache/eviction_plan.h"

namespace kvist {

/// Adds values to others as a plan's merges say. values [heads, capacity, head_dim] are those of the heads that
/// `index` describes; sums are made in float32 (float64 for float64) and rounded once.
void mergeValues(const at::Tensor& values, const EntryIndex& index, std::span<const ValueMerge> merges);

}  // namespace kvist
