// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/policy_catalog.h"
#include "engine/policies/scorer.h"

namespace kvist {

/// Keys that differ from the mean direction of all keys (Park et al. 2025, arXiv 2504.15364, section 3): less the
/// cosine of key and mean unit key.
class KeyDiffScorer : public Scorer {
public:
    static PolicyInfo info();
    static constexpr bool kPerHead = true;

    explicit KeyDiffScorer(const ParameterMap& parameters) : m_centres(booleanOf(parameters, "center_keys")) {}

    at::Tensor scores(const LayerView& view, std::size_t set, const PlanContext& context) const override;

private:
    bool m_centres;
};

}  // namespace kvist
