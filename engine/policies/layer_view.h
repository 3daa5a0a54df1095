// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "engine/cache/layer_cache.h"
#include "engine/model/rotary_embedding.h"
#include "engine/policies/layer_queries.h"

namespace kvist {

/// What a policy may look at when it plans: the entries of one layer in ascending order of position. A set of
/// entries is one KV head's, or all heads' where they hold the same; "heads" below are the KV heads of a set and
/// "group" the query heads of each. Tensors are copies in float32 (float64 for float64 caches) and are computed
/// when asked for.
class LayerView {
public:
    /// Without `queries` nothing can be asked about queries, without `rotary` nothing before rotation
    /// (EngineError(Internal)).
    explicit LayerView(const LayerCache& cache, const LayerQueries* queries = nullptr,
                       const RotaryEmbedding* rotary = nullptr)
        : m_cache(cache), m_queries(queries), m_rotary(rotary) {}

    std::size_t sets() const { return m_cache.indexes(); }
    std::int64_t count(std::size_t set) const { return m_cache.index(set).count(); }
    std::int64_t position(std::size_t set, std::int64_t entry) const { return m_cache.index(set).position(entry); }
    at::Tensor positions(std::size_t set) const;  ///< [entries], int64

    /// Values of a policy's column for entries [begin, end).
    std::vector<float> column(std::size_t set, std::size_t column, std::int64_t begin, std::int64_t end) const;

    at::Tensor keys(std::size_t set) const;    ///< [heads, entries, head_dim], rotated
    at::Tensor values(std::size_t set) const;  ///< [heads, entries, head_dim]

    /// As keys(), less the mean of the set's keys before rotation, rotated again: the bias of Qwen2.5's key
    /// projection puts one large vector into every key, which would make all keys look alike.
    at::Tensor centredKeys(std::size_t set) const;

    std::int64_t queryCount() const { return m_queries == nullptr ? 0 : m_queries->count(); }
    std::int64_t firstQuery() const { return queries().first(); }  ///< position
    at::Tensor unrotatedQueries() const;                           ///< [queries, query_heads, head_dim]

    /// Products of the kept queries and the set's keys over sqrt(head_dim), [heads, group, queries, entries],
    /// not masked.
    at::Tensor attentionLogits(std::size_t set) const;

    /// Their softmax over the entries that are held, [heads, group, queries, entries]: causal by position, 0 for
    /// what a query cannot see.
    at::Tensor attentionRows(std::size_t set) const;

    /// Angles of positions first, …, first + count − 1.
    RotaryAngles angles(std::int64_t first, std::int64_t count) const { return rotary().angles(first, count); }
    /// Angles of any positions, [positions], int64.
    RotaryAngles angles(const at::Tensor& positions) const { return rotary().angles(positions); }

private:
    const LayerQueries& queries() const;
    const RotaryEmbedding& rotary() const;

    const LayerCache& m_cache;
    const LayerQueries* m_queries;
    const RotaryEmbedding* m_rotary;
};

}  // namespace kvist
