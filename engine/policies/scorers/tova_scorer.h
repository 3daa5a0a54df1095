// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/policy_catalog.h"
#include "engine/policies/scorer.h"

namespace kvist {

/// The attention of the newest query, averaged over all heads of the set (Oren et al. 2024, arXiv 2401.06104,
/// section 3.2). The newest entry competes like any other.
class TovaScorer : public Scorer {
public:
    static PolicyInfo info();
    static constexpr bool kPerHead = false;

    explicit TovaScorer(const ParameterMap&) {}

    PolicyNeeds needs() const override { return {.queryWindow = 1}; }
    at::Tensor scores(const LayerView& view, std::size_t set, const PlanContext& context) const override;
};

}  // namespace kvist
