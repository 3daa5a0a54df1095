// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/scorers/h2o_scorer.h"

#include <ATen/ops/tensor.h>

#include "engine/policies/protection.h"
#include "engine/policies/received_attention.h"

namespace kvist {

PolicyInfo H2oScorer::info() {
    return {.id = "h2o",
            .title = "H2O",
            .group = "Running attention",
            .summary =
                "Shares the budget between the most recent entries and those that have received the most "
                "attention so far, for each KV head apart.",
            .paper = "Zhang et al. 2023, arXiv 2306.14048, section 4",
            .usesBudget = true,
            .isReconstruction = false,
            .parameters = {Protection::recentShareParameter(0.5),
                           ParameterSpec::boolean("per_query", "Per query", false,
                                                  "Divide an entry's attention by the number of queries that could "
                                                  "see it, so that old entries have no advantage."),
                           Protection::sinksParameter(0), Protection::intervalParameter(1)}};
}

void H2oScorer::observe(const LayerObservation& observation) {
    addReceivedAttention(observation, 0);
}

at::Tensor H2oScorer::scores(const LayerView& view, std::size_t set, const PlanContext& context) const {
    const at::Tensor sums = at::tensor(view.column(set, 0, 0, view.count(set)));
    const at::Tensor scores = m_isPerQuery ? sums / (context.tokensSeen - view.positions(set)) : sums;
    return scores.unsqueeze(0);
}

}  // namespace kvist
