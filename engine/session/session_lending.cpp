// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "engine/session/session.h"

namespace kvist {
namespace {

/// Whether the sinks are the first slots, and the entries before the next token the last tokens.
bool standsInPlace(const EntryIndex& index, const Replacement& rule, std::int64_t tokensSeen) {
    for (std::int64_t i = 0; i < rule.sinks; ++i) {
        if (index.slot(i) != static_cast<std::size_t>(i)) {
            return false;
        }
    }
    const std::int64_t recent = std::min(rule.recent, index.count() - 1 - rule.sinks);
    return recent <= 0 || index.position(index.count() - recent) == tokensSeen - recent;
}

}  // namespace

std::optional<Replacement> Session::replacement() const {
    const auto rule = m_policy.replacement();
    if (!rule || m_isBroken || m_policy.store() != nullptr || !runsLayerByLayer() || holdsWholePrompt() ||
        !prunesEveryChunk(m_options, m_policy)) {
        return std::nullopt;
    }
    const std::int64_t budget = layerBudget(0);
    for (std::int64_t layer = 0; layer < m_cache.shape().layers; ++layer) {
        const LayerCache& cache = m_cache.layer(layer);
        if (layerBudget(layer) != budget || cache.mostHeld() != budget || cache.indexes() != 1 ||
            !standsInPlace(cache.index(0), *rule, m_tokensSeen)) {
            return std::nullopt;
        }
    }
    return rule;
}

void Session::lend() {
    begin({});
}

void Session::takeBack(const ReplacedEntries& steps) {
    const std::int64_t layers = m_cache.shape().layers;
    auto evicted = steps.entries.begin();
    for (const std::int32_t token : steps.tokens) {
        m_tokens.push_back(token);
        m_timeline.begin();
        for (std::int64_t layer = 0; layer < layers; ++layer) {
            EvictionPlan plan;
            plan.evicted.push_back({*evicted++});
            recordEvictions(layer, plan, m_tokensSeen);
            EntryIndex& index = m_cache.layer(layer).index(0);
            index.evict(plan.evicted.front());
            index.append(m_tokensSeen, 1);
            const CacheStats stats = layerStats(layer);
            m_timeline.record(0, m_tokensSeen + 1, stats, stats);
        }
        ++m_tokensSeen;
    }
    if (steps.scores.defined()) {
        for (std::int64_t layer = 0; layer < layers; ++layer) {
            const auto column = m_cache.layer(layer).index(0).column(0);
            std::copy_n(steps.scores[layer].const_data_ptr<float>(), column.size(), column.begin());
        }
    }
    m_isBroken = false;
}

}  // namespace kvist
