// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/policy_catalog.h"
#include "engine/policies/scorer.h"

namespace kvist {

/// The attention that an entry has received from all queries so far, averaged over the query heads of its set
/// (Zhang et al. 2023, arXiv 2306.14048, section 4). With the recent entries' share of the budget this is H2O;
/// per query the score is divided by the number of queries that could see the entry.
class H2oScorer : public Scorer {
public:
    static PolicyInfo info();
    static constexpr bool kPerHead = true;

    explicit H2oScorer(const ParameterMap& parameters) : m_isPerQuery(booleanOf(parameters, "per_query")) {}

    PolicyNeeds needs() const override { return {.attentionMass = true, .columns = 1}; }
    void observe(const LayerObservation& observation) override;
    at::Tensor scores(const LayerView& view, std::size_t set, const PlanContext& context) const override;

private:
    bool m_isPerQuery;
};

}  // namespace kvist
