// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/policies/scorer.h"

namespace kvist {

/// Newer entries are worth more: what makes a window of any policy that builds upon scores.
class PositionScorer : public Scorer {
public:
    at::Tensor scores(const LayerView& view, std::size_t set, const PlanContext&) const override {
        return view.positions(set).to(at::kFloat).unsqueeze(0);
    }
};

}  // namespace kvist
