// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/policy_catalog.h"
#include "engine/policies/pruning_policy.h"

namespace kvist {

/// Keeps every entry: the baseline that every difference refers to.
class FullPolicy : public PruningPolicy {
public:
    static PolicyInfo info();

    PlanSchedule schedule() const override { return PlanSchedule::Never; }
    std::optional<std::int64_t> bound(std::int64_t) const override { return std::nullopt; }
    EvictionPlan plan(const LayerView&, const PlanContext&) override { return {}; }
};

}  // namespace kvist
