// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/policy_catalog.h"
#include "engine/policies/scorer.h"

namespace kvist {

/// Keys of small norm attract attention (Devoto et al. 2024, arXiv 2406.11430, section 3): less the norm of the
/// key.
class KnormScorer : public Scorer {
public:
    static PolicyInfo info();
    static constexpr bool kPerHead = true;

    explicit KnormScorer(const ParameterMap&) {}

    at::Tensor scores(const LayerView& view, std::size_t set, const PlanContext& context) const override;
};

}  // namespace kvist
