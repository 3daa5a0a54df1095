// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace kvist {

/// Tokens that full caches took one by one, and what each replaced.
struct ReplacedEntries {
    std::vector<std::int32_t> tokens;
    /// [tokens, layers]: the entry that went, by its place in ascending order of position, as in an EvictionPlan.
    std::vector<std::int32_t> entries;
    at::Tensor scores;  ///< [layers, slots] float32 on the CPU after the last token; undefined without scores
};

}  // namespace kvist
