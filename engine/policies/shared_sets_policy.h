// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/policy_catalog.h"
#include "engine/policies/jointly_scored_policy.h"

namespace kvist {

/// Layers keep the same entries, by scores of all of them together (Mao et al. 2026, arXiv 2604.04921, code). The
/// authors' script keeps for each number of a KV head what has the highest mean score over the layers. Their other
/// form lets every head name its best entries and keeps those of the union with the highest score in any head; since
/// an entry that is among the best by its highest score is among the best of that head, the union decides nothing.
class SharedSetsPolicy : public JointlyScoredPolicy {
public:
    enum class Sharing {
        Layers,  ///< one set for each number of a KV head, by the mean over the layers
        Heads,   ///< one set for all layers and heads, by the highest score of any
    };

    /// "none", "layers" or "heads"; optional.
    static ParameterSpec parameter();
    /// None where every layer and head has its own.
    static std::optional<Sharing> from(const ParameterMap& parameters);

    SharedSetsPolicy(std::unique_ptr<Scorer> scorer, const Protection& protection, Sharing sharing);

    PolicyNeeds needs() const override;
    std::vector<EvictionPlan> planAll(const CacheView& view, const PlanContext& context) override;

private:
    std::vector<float> combinedScores(const CacheView& view, std::size_t set, PlanContext context) const;

    Sharing m_sharing;
};

}  // namespace kvist
