// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/scorers/knorm_scorer.h"

#include "engine/policies/protection.h"

namespace kvist {

PolicyInfo KnormScorer::info() {
    return {.id = "knorm",
            .title = "Key norm",
            .group = "Keys and values alone",
            .summary = "Keeps the entries whose keys have the smallest norm.",
            .paper = "Devoto et al. 2024, arXiv 2406.11430, section 3",
            .usesBudget = true,
            .isReconstruction = false,
            .parameters = {Protection::sinksParameter(0), Protection::recentParameter(0),
                           Protection::intervalParameter(1)}};
}

at::Tensor KnormScorer::scores(const LayerView& view, std::size_t set, const PlanContext&) const {
    return -view.keys(set).norm(2, {-1});
}

}  // namespace kvist
