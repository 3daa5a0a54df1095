// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <span>

#include "engine/cache/cache_memory.h"
#include "engine/cache/cache_stats.h"
#include "engine/cache/cache_store.h"
#include "engine/cache/coded_groups.h"

namespace kvist {

/// Keys or values of one layer: coded groups of older rows and a tail in full precision, both in ascending order of
/// position. New rows enter the tail, settle() codes what has become too old for it. Sets of heads (one of all
/// heads, or one for each) have their own entries.
class CodedRows {
public:
    CodedRows(const CacheShape& shape, std::size_t sets, RowStore store);

    std::int64_t count(std::size_t set) const;

    /// rows [tokens, kv_heads, head_dim].
    void append(const at::Tensor& rows);

    /// Entries named by ascending indices go.
    void evict(std::size_t set, std::span<const std::int32_t> evicted);

    /// Codes the rows that leave the tail. `queries` [tokens, query_heads, head_dim] are shown to the codec where
    /// they are defined.
    void settle(const at::Tensor& queries);

    /// Decodes and codes neighbouring groups anew where they fit into one.
    void mergeSparse();

    /// Overwrites entries (any order) with rows [heads of the set, entries, head_dim]; groups that hold them are
    /// coded again.
    void replace(std::size_t set, std::span<const std::int32_t> entries, const at::Tensor& rows);

    /// All rows of one head, [entries, head_dim], in float32 (float64 for float64 caches): a copy.
    at::Tensor rows(std::int64_t head) const;

    /// The same in the codec's basis, times which they are rows(), [entries, width of the basis]; equal where it has
    /// none.
    at::Tensor turnedRows(std::int64_t head) const;

    /// The newest `count` rows of each head, which must be in the tail: [kv_heads, count, head_dim].
    at::Tensor latest(std::int64_t count) const;

    const CodedGroups* groups() const { return m_groups ? &*m_groups : nullptr; }
    const at::Tensor& tail() const { return m_tail.tensor(); }  ///< [kv_heads, capacity, head_dim]
    std::int64_t tailCount(std::size_t set) const { return m_tailCounts[set]; }
    std::int64_t codedCount(std::size_t set) const { return m_groups ? m_groups->count(set) : 0; }

    /// The codec's basis; undefined where it has none.
    at::Tensor basis() const { return m_store.codec == nullptr ? at::Tensor() : m_store.codec->basis(); }
    std::int64_t basisBytes() const { return basis().defined() ? static_cast<std::int64_t>(basis().nbytes()) : 0; }

    void clear();

    /// Adds payload, metadata, read and allocated bytes and the entries that were coded again.
    void addTo(CacheStats& stats) const;

private:
    void evictFromTail(std::size_t set, std::span<const std::int32_t> evicted);
    void dropFront(std::size_t set, std::int64_t count);
    void encodeFront(std::size_t set, std::int64_t count, const at::Tensor& queries);
    std::int64_t firstHead(std::size_t set) const { return static_cast<std::int64_t>(set) * m_headsPerSet; }
    std::byte* tailRow(std::int64_t head, std::int64_t row);

    CacheShape m_shape;
    RowStore m_store;
    std::int64_t m_headsPerSet;
    std::optional<CodedGroups> m_groups;
    CacheMemory m_tail;
    std::vector<std::int64_t> m_tailCounts;  // by set
    std::int64_t m_recoded = 0;              // rows of one head each
};

}  // namespace kvist
