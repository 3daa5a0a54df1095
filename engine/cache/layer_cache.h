// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/cache/cache_memory.h"
#include "engine/cache/cache_shape.h"
#include "engine/cache/cache_stats.h"
#include "engine/cache/cache_store.h"
#include "engine/cache/coded_rows.h"
#include "engine/cache/entry_index.h"
#include "engine/cache/eviction_plan.h"

namespace kvist {

/// Keys and values that one layer holds, with the original position and the policy's columns of each entry.
/// Decides nothing: only append(), apply(), settle() and clear() change it. Keys keep the rotation of their position.
/// A plain cache is two tensors; a coded one (LayerStore) has them in pieces, and its slots are always in ascending
/// order of position.
class LayerCache {
public:
    /// `columns`: values per entry that the policy keeps. `perHead`: heads may hold different entries; else all
    /// heads hold the same and share one index. Throws EngineError(Device) where codes are asked for on a GPU.
    LayerCache(const CacheShape& shape, std::size_t columns, bool perHead, LayerStore store = {});

    /// keys, values [tokens, kv_heads, head_dim], rotated; positions first, first + 1, … The capacity must hold
    /// them (EngineError(Internal)).
    void append(const at::Tensor& keys, const at::Tensor& values, std::int64_t first);

    /// Merges values as the plan says, removes the entries that it names and gives back memory. Throws as
    /// EvictionPlan::validate().
    void apply(const EvictionPlan& plan);

    /// Codes what has become too old for the tail; nothing where the cache is plain. `queries` [tokens,
    /// query_heads, head_dim] for codecs that look at them.
    void settle(const at::Tensor& queries = {});

    void clear();

    bool isCoded() const { return m_coded.has_value(); }
    const at::Tensor& keys() const { return m_keys.tensor(); }        ///< [kv_heads, capacity, head_dim]; plain only
    const at::Tensor& values() const { return m_values.tensor(); }    ///< [kv_heads, capacity, head_dim]; plain only
    const CodedRows& codedKeys() const { return m_coded->keys; }      ///< coded only
    const CodedRows& codedValues() const { return m_coded->values; }  ///< coded only

    /// Copies in ascending order of position, float32 (float64 for float64 caches), of the heads of one set:
    /// [heads, entries, head_dim]. What was coded comes back as it is read.
    at::Tensor orderedKeys(std::size_t set) const;
    at::Tensor orderedValues(std::size_t set) const;

    /// Values of the last `count` slots, which nothing has coded or moved since they were appended: [kv_heads,
    /// count, head_dim].
    at::Tensor latestValues(std::int64_t count) const;

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
    struct Coded {
        CodedRows keys;
        CodedRows values;
        bool mergesSparse;
    };

    at::Tensor ordered(const at::Tensor& rows, std::size_t set) const;
    at::Tensor ordered(const CodedRows& rows, std::size_t set) const;
    void applyToCoded(std::size_t set, std::span<const std::int32_t> evicted, std::span<const ValueMerge> merges);
    std::int64_t headsPerSet() const { return m_shape.kvHeads / static_cast<std::int64_t>(m_indexes.size()); }
    void moveRows(const std::vector<SlotMove>& moves, std::int64_t firstHead, std::int64_t heads);

    CacheShape m_shape;
    CacheMemory m_keys;
    CacheMemory m_values;
    std::optional<Coded> m_coded;
    std::vector<std::int64_t> m_held;
    std::vector<EntryIndex> m_indexes;
};

}  // namespace kvist
