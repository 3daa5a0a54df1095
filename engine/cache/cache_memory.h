// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "engine/cache/cache_shape.h"

namespace kvist {

/// Memory for the keys or the values of one layer, [kv_heads, capacity, head_dim], whose rows are taken and
/// given back as they are needed. On a CPU only address space is reserved for the capacity; the operating
/// system's pages come with the first write and go back with release(), so that the tensor is contiguous and
/// yet holds less than two such pages per head beyond the live rows. On other devices the capacity is taken whole.
class CacheMemory {
public:
    explicit CacheMemory(const CacheShape& shape);
    ~CacheMemory();
    CacheMemory(CacheMemory&& other) noexcept;
    CacheMemory(const CacheMemory&) = delete;
    CacheMemory& operator=(const CacheMemory&) = delete;
    CacheMemory& operator=(CacheMemory&&) = delete;

    const at::Tensor& tensor() const { return m_tensor; }

    /// Notes that rows [0, rows) of a head are in use.
    void use(std::int64_t head, std::int64_t rows);

    /// Gives back the pages of a head beyond its first `rows` rows, but for one page of slack.
    void release(std::int64_t head, std::int64_t rows);

    std::int64_t allocatedBytes() const;

private:
    std::int64_t pagedBytes(std::int64_t rows) const;

    at::Tensor m_tensor;
    void* m_address = nullptr;
    std::int64_t m_headBytes = 0;  // reserved per head, whole pages
    std::int64_t m_rowBytes = 0;
    std::vector<std::int64_t> m_taken;  // bytes per head, whole pages
};

}  // namespace kvist
