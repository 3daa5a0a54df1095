// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/scorers/tova_scorer.h"

#include "engine/policies/protection.h"

namespace kvist {

PolicyInfo TovaScorer::info() {
    return {.id = "tova",
            .title = "TOVA",
            .group = "Last queries",
            .summary = "Keeps the entries to which the newest query pays the most attention, averaged over all heads.",
            .paper = "Oren et al. 2024, arXiv 2401.06104, section 3.2",
            .usesBudget = true,
            .isReconstruction = false,
            .parameters = {Protection::sinksParameter(0), Protection::recentParameter(0),
                           Protection::intervalParameter(1)}};
}

at::Tensor TovaScorer::scores(const LayerView& view, std::size_t set, const PlanContext&) const {
    return view.attentionRows(set).select(2, view.queryCount() - 1).mean(1);
}

}  // namespace kvist
