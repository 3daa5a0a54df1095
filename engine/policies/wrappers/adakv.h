// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/policy_catalog.h"
#include "engine/policies/scored_policy.h"

namespace kvist {

/// The heads of a layer share their budgets (Feng et al. 2024, arXiv 2407.11550, algorithm 1): the highest scores
/// of all heads together stay, but each head keeps a share of the budget for its own best. Heads then hold
/// different numbers of entries, and the memory of those that go is given back.
class AdaptiveHeads : public Selection {
public:
    static PolicyInfo info(const std::vector<std::string>& bases);
    static ScoredPolicy::Parts parts(std::unique_ptr<Scorer> base, const ParameterMap& parameters);

    explicit AdaptiveHeads(double safeguard) : m_safeguard(safeguard) {}

    bool boundsEachSet() const override { return false; }
    std::vector<std::vector<std::int32_t>> evicted(const LayerView& view, const Candidates& candidates) const override;

private:
    double m_safeguard;
};

}  // namespace kvist
