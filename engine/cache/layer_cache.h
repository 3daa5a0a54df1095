// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <span>
#include <vector>

#include "engine/cache/cache_memory.h"
#include "engine/cache/cache_shape.h"
#include "engine/cache/cache_stats.h"
#include "engine/cache/entry_index.h"
#include "engine/cache/eviction_plan.h"

namespace kvist {

/// Keys and values that one layer holds, with the original position and the policy's columns of each entry.
/// Decides nothing: only append(), apply() and clear() change it. Keys keep the rotation of their position.
class LayerCache {
public:
    /// `columns`: values per entry that the policy keeps. `perHead`: heads may hold different entries; else all
    /// heads hold the same and share one index.
    LayerCache(const CacheShape& shape, std::size_t columns, bool perHead);

    /// keys, values [tokens, kv_heads, head_dim], rotated; positions first, first + 1, … The capacity must hold
    /// them (EngineError(Internal)).
    void append(const at::Tensor& keys, const at::Tensor& values, std::int64_t first);

    /// Merges values as the plan says, removes the entries that it names and gives back memory. Throws as
    /// EvictionPlan::validate().
    void apply(const EvictionPlan& plan);

    void clear();

    const at::Tensor& keys() const { return m_keys.tensor(); }      ///< [kv_heads, capacity, head_dim]
    const at::Tensor& values() const { return m_values.tensor(); }  ///< [kv_heads, capacity, head_dim]

    /// Entries of each KV head, which fill its slots [0, held).
    std::span<const std::int64_t> held() const { return m_held; }
    std::int64_t mostHeld() const;
    std::int64_t totalHeld() const;

    /// 1 while all heads hold the same, else kv_heads.
    std::size_t indexes() const { return m_indexes.size(); }
    EntryIndex& index(std::size_t i) { return m_indexes[i]; }
    const EntryIndex& index(std::size_t i) const { return m_indexes[i]; }

    CacheStats stats() const;

private:
    void moveRows(const std::vector<SlotMove>& moves, std::int64_t firstHead, std::int64_t heads);

    CacheShape m_shape;
    CacheMemory m_keys;
    CacheMemory m_values;
    std::vector<std::int64_t> m_held;
    std::vector<EntryIndex> m_indexes;
};

}  // namespace kvist
