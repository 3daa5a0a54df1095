// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/attention_score_policy.h"

#include <algorithm>
#include <functional>

#include "engine/policies/lowest_scores.h"

namespace kvist {

PolicyInfo AttentionScorePolicy::info() {
    return {.id = "attention-score",
            .title = "Attention score",
            .group = "Running attention",
            .summary =
                "Keeps the first entries (sinks), the most recent ones, and those that have received the most "
                "attention so far.",
            .paper = "the article; related to Zhang et al. 2023, arXiv 2306.14048, section 4",
            .usesBudget = true,
            .isReconstruction = false,
            .parameters = {ParameterSpec::integer("sinks", "Sinks", 4, 0, 4096, "entries",
                                                  "First entries of the text, which are always kept."),
                           ParameterSpec::integer("recent", "Recent", 32, 0, 1 << 20, "entries",
                                                  "Last entries, which are kept whatever their score; fewer where the "
                                                  "budget is smaller."),
                           ParameterSpec::boolean("per_query", "Per query", false,
                                                  "Divide an entry's attention by the number of queries that could "
                                                  "see it, so that old entries have no advantage.")
                               .asOptional()}};
}

AttentionScorePolicy::AttentionScorePolicy(const ParameterMap& parameters)
    : m_sinks(integerOf(parameters, "sinks")),
      m_recent(integerOf(parameters, "recent")),
      m_isPerQuery(booleanOf(parameters, "per_query")) {}

std::optional<Replacement> AttentionScorePolicy::replacement() const {
    return Replacement{
        .goes = Replacement::Goes::LowestScore, .sinks = m_sinks, .recent = m_recent, .isPerQuery = m_isPerQuery};
}

void AttentionScorePolicy::observe(const LayerObservation& observation) {
    const at::Tensor mean =
        (observation.attentionMass.sum(0) / static_cast<double>(observation.queryHeads)).to(at::kCPU, at::kFloat);
    const auto* values = mean.data_ptr<float>();
    const auto scores = observation.cache.index(0).column(0);
    std::transform(scores.begin(), scores.end(), values, scores.begin(), std::plus<>());
}

EvictionPlan AttentionScorePolicy::plan(const LayerView& view, const PlanContext& context) {
    const std::int64_t surplus = view.count(0) - context.target;
    if (surplus <= 0) {
        return {};
    }
    const std::int64_t recent = std::min(m_recent, context.target - m_sinks);
    std::vector<float> scores = view.column(0, 0, m_sinks, view.count(0) - recent);
    for (std::size_t i = 0; m_isPerQuery && i < scores.size(); ++i) {
        const std::int64_t position = view.position(0, m_sinks + static_cast<std::int64_t>(i));
        scores[i] /= static_cast<float>(context.tokensSeen - position);
    }
    return {{lowestScores(scores, surplus, static_cast<std::int32_t>(m_sinks))}};
}

}  // namespace kvist
