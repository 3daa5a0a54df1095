// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/scored_policy.h"

#include <algorithm>

namespace kvist {
namespace {

/// Values for entries [first, end) from [heads, entries].
std::vector<float> between(const at::Tensor& scores, std::int64_t first, std::int64_t end) {
    const at::Tensor mean = scores.mean(0).to(at::kCPU, at::kFloat).contiguous();
    const auto* values = mean.data_ptr<float>();
    return {values + first, values + end};
}

}  // namespace

ScoredPolicy::ScoredPolicy(Parts parts) : m_parts(std::move(parts)) {
    m_parts.protection.recent = std::max(m_parts.protection.recent, m_parts.scorer->window());
}

PolicyNeeds ScoredPolicy::needs() const {
    PolicyNeeds needs = m_parts.scorer->needs();
    needs.perHead = m_parts.perHead;
    if (m_parts.merging) {
        const PolicyNeeds more = m_parts.merging->needs();
        needs.attentionMass = needs.attentionMass || more.attentionMass;
        needs.columns += more.columns;
    }
    return needs;
}

void ScoredPolicy::observe(const LayerObservation& observation) {
    m_parts.scorer->observe(observation);
    if (m_parts.merging) {
        m_parts.merging->observe(observation, m_parts.scorer->needs().columns);
    }
}

std::int64_t ScoredPolicy::layerBudget(std::int64_t budget, std::int64_t layer, std::int64_t layers) const {
    const Protection& protection = m_parts.protection;
    // A chunk needs an entry beside the sinks in every layer.
    const std::int64_t fixed = protection.sinks + std::max<std::int64_t>(1, protection.recent);
    return m_parts.budgets->entries(budget, fixed, layer, layers);
}

std::optional<std::int64_t> ScoredPolicy::bound(std::int64_t target) const {
    return m_parts.selection->boundsEachSet() ? std::optional(target) : std::nullopt;
}

std::optional<std::int64_t> ScoredPolicy::layerBound(std::int64_t target, std::int64_t heads) const {
    return target * heads;
}

EvictionPlan ScoredPolicy::plan(const LayerView& view, const PlanContext& context) {
    std::int64_t held = 0;
    for (std::size_t set = 0; set < view.sets(); ++set) {
        held += view.count(set);
    }
    if (held <= context.target * static_cast<std::int64_t>(view.sets())) {
        return {};
    }
    PlanContext own = context;
    own.target = m_parts.protection.targetOf(context);
    const std::int64_t sinks = m_parts.protection.sinks;
    const std::int64_t recent = m_parts.protection.recentOf(own.target);
    Candidates candidates{.target = own.target, .first = static_cast<std::int32_t>(sinks), .scores = {}};
    for (std::size_t set = 0; set < view.sets(); ++set) {
        const std::int64_t end = std::max(sinks, view.count(set) - recent);
        candidates.scores.push_back(end > sinks ? between(m_parts.scorer->scores(view, set, own), sinks, end)
                                                : std::vector<float>());
    }
    EvictionPlan plan{m_parts.selection->evicted(view, candidates)};
    if (m_parts.merging) {
        const std::size_t column = m_parts.scorer->needs().columns;
        for (std::size_t set = 0; set < view.sets(); ++set) {
            plan.merges.push_back(m_parts.merging->merges(view, set, own, plan.evicted[set], column));
        }
    }
    return plan;
}

}  // namespace kvist
