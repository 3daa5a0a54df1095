// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/ATen.h>

#include <cmath>
#include <vector>

#include "engine/kernels/attention.h"
#include "engine/kernels/rotary.h"
#include "engine/policies/pruning_policy.h"

namespace kvist::testing {

/// One layer's cache and queries without a decoder: what a session does with a chunk, but plans only on request.
class FedLayer {
public:
    FedLayer(const CacheShape& shape, const PolicyNeeds& needs, double base = 10000.0)
        : m_needs(needs),
          m_rotary(shape.headDim, base, at::TensorOptions(shape.type)),
          m_cache(shape, needs.columns, needs.perHead),
          m_queries(needs.queryWindow) {}

    /// queries [tokens, query_heads, head_dim], keys and values [tokens, kv_heads, head_dim], rotated already. An
    /// observer has observe(LayerObservation).
    template <typename Observer>
    void feed(Observer& observer, const at::Tensor& queries, const at::Tensor& keys, const at::Tensor& values,
              const at::Tensor& outputWeight = {}) {
        const std::vector<std::int64_t> held(m_cache.held().begin(), m_cache.held().end());
        m_cache.append(keys, values, m_seen);
        const double scale = 1.0 / std::sqrt(static_cast<double>(keys.size(2)));
        const auto result = kernels::attentionReference(
            {queries.contiguous(), m_cache.keys(), m_cache.values(), held, scale, m_needs.attentionMass});
        m_queries.append(queries, m_seen);
        m_seen += keys.size(0);
        observer.observe({0, keys.size(0), m_cache, result.mass, queries.size(1), outputWeight});
    }

    /// Rotates [tokens, heads, head_dim] to the positions that come next.
    at::Tensor rotated(const at::Tensor& rows) const {
        const RotaryAngles angles = m_rotary.angles(m_seen, rows.size(0));
        at::Tensor copy = rows.clone();
        kernels::rotateInPlace(copy, angles.cos, angles.sin);
        return copy;
    }

    void apply(const EvictionPlan& plan) { m_cache.apply(plan); }

    LayerView view() const { return LayerView(m_cache, &m_queries, &m_rotary); }
    LayerCache& cache() { return m_cache; }
    std::int64_t tokensSeen() const { return m_seen; }

    /// Positions that each KV head holds, ascending.
    std::vector<std::vector<std::int64_t>> positions() const {
        std::vector<std::vector<std::int64_t>> result;
        for (std::size_t head = 0; head < m_cache.held().size(); ++head) {
            const EntryIndex& index = m_cache.index(m_cache.indexes() == 1 ? 0 : head);
            auto& list = result.emplace_back();
            for (std::int64_t i = 0; i < index.count(); ++i) {
                list.push_back(index.position(i));
            }
        }
        return result;
    }

private:
    PolicyNeeds m_needs;
    RotaryEmbedding m_rotary;
    LayerCache m_cache;
    LayerQueries m_queries;
    std::int64_t m_seen = 0;
};

}  // namespace kvist::testing
