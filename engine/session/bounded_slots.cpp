// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/bounded_slots.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <limits>

namespace kvist {
namespace {

/// Row `slot`, [1] int64, of [heads, rows, head_dim] takes what the last row holds, and that takes `row`.
void replaceRow(const at::Tensor& rows, const at::Tensor& slot, const at::Tensor& row) {
    const std::int64_t last = rows.size(1) - 1;
    rows.index_copy_(1, slot, rows.narrow(1, last, 1).clone());
    rows.select(1, last).copy_(row);
}

}  // namespace

BoundedSlots::BoundedSlots(const KvCache& cache, const Replacement& rule) : m_cache(cache), m_rule(rule) {
    const CacheShape& shape = cache.shape();
    const std::int64_t entries = cache.layer(0).mostHeld();
    at::Tensor positions = at::empty({shape.layers, entries}, at::kLong);
    at::Tensor scores = at::empty({shape.layers, entries}, at::kFloat);
    const bool hasScores = rule.goes == Replacement::Goes::LowestScore;
    for (std::int64_t layer = 0; layer < shape.layers; ++layer) {
        const EntryIndex& index = cache.layer(layer).index(0);
        auto* to = positions[layer].mutable_data_ptr<std::int64_t>();
        for (std::int64_t entry = 0; entry < entries; ++entry) {
            to[index.slot(entry)] = index.position(entry);
        }
        if (hasScores) {
            const auto column = index.column(0);
            std::copy(column.begin(), column.end(), scores[layer].mutable_data_ptr<float>());
        }
    }
    const auto options = at::TensorOptions(at::kLong).device(shape.device);
    m_positions = positions.to(shape.device);
    m_scores = hasScores ? scores.to(shape.device) : at::Tensor();
    m_slots = at::zeros({shape.layers}, options);
    m_replaced = at::zeros({shape.layers}, options);
}

at::Tensor BoundedSlots::chosen(const at::Tensor& position) const {
    const std::int64_t others = entries() - m_rule.sinks;
    const at::Tensor positions = m_positions.narrow(1, m_rule.sinks, others);  // [layers, others]
    if (m_rule.goes == Replacement::Goes::Oldest) {
        return positions.argmin(1).add_(m_rule.sinks);
    }
    const std::int64_t recent = std::clamp<std::int64_t>(m_rule.recent, 0, others - 1);
    const at::Tensor ages = position - positions;
    at::Tensor scores = m_scores.narrow(1, m_rule.sinks, others);
    if (m_rule.isPerQuery) {
        scores = scores / ages.to(at::kFloat);
    }
    scores = scores.masked_fill(ages.le(recent), std::numeric_limits<double>::infinity());
    const at::Tensor isLowest = scores.eq(scores.amin({1}, true));
    return positions.masked_fill(isLowest.logical_not(), -1).argmax(1).add_(m_rule.sinks);
}

void BoundedSlots::replace(const at::Tensor& position) {
    const std::int64_t last = entries() - 1;
    m_slots.copy_(chosen(position));
    const at::Tensor slots = m_slots.unsqueeze(1);  // [layers, 1]
    m_replaced.copy_(m_positions.lt(m_positions.gather(1, slots)).sum(1));
    m_positions.scatter_(1, slots, m_positions.narrow(1, last, 1).clone());
    m_positions.select(1, last).copy_(position);
    if (m_scores.defined()) {
        m_scores.scatter_(1, slots, m_scores.narrow(1, last, 1).clone());
        m_scores.select(1, last).zero_();
    }
}

void BoundedSlots::write(std::int64_t layer, const at::Tensor& key, const at::Tensor& value) {
    const LayerCache& cache = m_cache.layer(layer);
    const at::Tensor slot = m_slots.narrow(0, layer, 1);
    replaceRow(cache.keys().narrow(1, 0, entries()), slot, key[0]);
    replaceRow(cache.values().narrow(1, 0, entries()), slot, value[0]);
}

}  // namespace kvist
