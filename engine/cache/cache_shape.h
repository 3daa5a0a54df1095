// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace kvist {

/// Extents of a cache. `capacity` is the most entries that any head of a layer will ever hold.
struct CacheShape {
    std::int64_t layers = 0;
    std::int64_t kvHeads = 0;
    std::int64_t headDim = 0;
    std::int64_t capacity = 0;
    at::ScalarType type = at::kFloat;
    at::Device device = at::kCPU;

    /// Bytes of the key and the value of one entry of one head.
    std::int64_t entryBytes() const { return 2 * headDim * static_cast<std::int64_t>(c10::elementSize(type)); }
};

}  // namespace kvist
