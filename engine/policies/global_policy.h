// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/policy_catalog.h"
#include "engine/policies/jointly_scored_policy.h"

namespace kvist {

/// All layers and heads share one budget: the lowest scores of all together go, as KVzip does with its own (Kim et al.
/// 2025, arXiv 2505.23416, section 3.3). Sinks and recent entries of each head stay.
class GlobalPolicy : public JointlyScoredPolicy {
public:
    static PolicyInfo info(const std::vector<std::string>& bases);

    GlobalPolicy(std::unique_ptr<Scorer> scorer, const ParameterMap& parameters);

    PolicyNeeds needs() const override;
    std::optional<std::int64_t> bound(std::int64_t) const override { return std::nullopt; }
    std::vector<EvictionPlan> planAll(const CacheView& view, const PlanContext& context) override;
};

}  // namespace kvist
