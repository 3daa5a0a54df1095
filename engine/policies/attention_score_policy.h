// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/policy_catalog.h"
#include "engine/policies/pruning_policy.h"

namespace kvist {

/// Sinks, a recent window and, of what lies between, the entries with the greatest accumulated attention: the
/// article's second policy, a plain relative of H2O (Zhang et al. 2023, arXiv 2306.14048, section 4). The score
/// is the attention probability averaged over all query heads of the layer and summed over all queries so far;
/// all heads of a layer keep the same entries. Normalised by age it is divided by the number of queries that could see
/// the entry, which takes away the advantage of old ones.
class AttentionScorePolicy : public PruningPolicy {
public:
    static PolicyInfo info();

    /// Parameters as completed from info().
    explicit AttentionScorePolicy(const ParameterMap& parameters);

    PolicyNeeds needs() const override { return {.attentionMass = true, .columns = 1, .perHead = false}; }
    std::int64_t sinks() const override { return m_sinks; }
    std::optional<Replacement> replacement() const override;
    void observe(const LayerObservation& observation) override;
    EvictionPlan plan(const LayerView& view, const PlanContext& context) override;

private:
    std::int64_t m_sinks;
    std::int64_t m_recent;
    bool m_isPerQuery;
};

}  // namespace kvist
