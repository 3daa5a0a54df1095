// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/cache/kv_cache.h"
#include "engine/policies/layer_queries.h"
#include "engine/policies/layer_view.h"

namespace kvist {

/// All layers at one moment, for plans that weigh layers against each other.
class CacheView {
public:
    /// `targets`: entries per head that may stay, by layer; `queries` by layer.
    CacheView(const KvCache& cache, std::span<const LayerQueries> queries, const RotaryEmbedding& rotary,
              std::vector<std::int64_t> targets)
        : m_cache(cache), m_queries(queries), m_rotary(rotary), m_targets(std::move(targets)) {}

    std::int64_t layers() const { return static_cast<std::int64_t>(m_targets.size()); }
    std::int64_t kvHeads() const { return m_cache.shape().kvHeads; }
    LayerView layer(std::int64_t layer) const {
        return LayerView(m_cache.layer(layer), &m_queries[static_cast<std::size_t>(layer)], &m_rotary);
    }
    std::int64_t target(std::int64_t layer) const { return m_targets[static_cast<std::size_t>(layer)]; }

    /// Entries of all heads of a layer.
    std::int64_t held(std::int64_t layer) const { return m_cache.layer(layer).totalHeld(); }
    bool exceedsTarget(std::int64_t layer) const { return held(layer) > target(layer) * kvHeads(); }

private:
    const KvCache& m_cache;
    std::span<const LayerQueries> m_queries;
    const RotaryEmbedding& m_rotary;
    std::vector<std::int64_t> m_targets;
};

}  // namespace kvist
