// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/policy_catalog.h"
#include "engine/policies/scorer.h"

namespace kvist {

/// Leverage of an entry among its neighbours (Sengupta et al. 2025, arXiv 2509.15038, section 3): the squared norm
/// of its key as a share of those of its stretch, times the same of its value.
class CurScorer : public Scorer {
public:
    static PolicyInfo info();
    static constexpr bool kPerHead = true;

    explicit CurScorer(const ParameterMap& parameters);

    at::Tensor scores(const LayerView& view, std::size_t set, const PlanContext& context) const override;

private:
    std::int64_t m_length;
    std::string m_leverage;
};

}  // namespace kvist
