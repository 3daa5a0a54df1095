// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/wrappers/adakv.h"

#include <algorithm>
#include <limits>

#include "engine/policies/lowest_scores.h"
#include "engine/policies/wrappers/base_parameter.h"

namespace kvist {
namespace {

/// Lifts the `count` highest scores above all others.
void protectHighest(std::span<float> scores, std::int64_t count) {
    const auto rest = static_cast<std::int64_t>(scores.size()) - count;
    const std::vector<std::int32_t> lowest = lowestScores(scores, rest, 0);
    auto next = lowest.begin();
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(scores.size()); ++i) {
        if (next != lowest.end() && *next == i) {
            ++next;
        } else {
            scores[static_cast<std::size_t>(i)] = std::numeric_limits<float>::infinity();
        }
    }
}

}  // namespace

PolicyInfo AdaptiveHeads::info(const std::vector<std::string>& bases) {
    return {.id = "adakv",
            .title = "AdaKV",
            .group = "Heads share a budget",
            .summary =
                "Lets the heads of a layer share their budgets: the entries of highest score of all heads stay. "
                "The paper compresses a prompt once; where a text is streamed this is done whenever room is needed.",
            .paper = "Feng et al. 2024, arXiv 2407.11550, algorithm 1",
            .usesBudget = true,
            .isReconstruction = true,
            .parameters = {baseParameter("snapkv", bases),
                           ParameterSpec::real("safeguard", "Safeguard", 0.2, 0, 1, "",
                                               "Share of the budget that each head keeps for its own best entries."),
                           Protection::sinksParameter(0), Protection::recentParameter(0),
                           Protection::intervalParameter(1)}};
}

ScoredPolicy::Parts AdaptiveHeads::parts(std::unique_ptr<Scorer> base, const ParameterMap& parameters) {
    return {.scorer = std::move(base),
            .protection = Protection::from(parameters),
            .selection = std::make_unique<AdaptiveHeads>(realOf(parameters, "safeguard"))};
}

std::vector<std::vector<std::int32_t>> AdaptiveHeads::evicted(const LayerView& view,
                                                              const Candidates& candidates) const {
    std::vector<std::vector<float>> lists;
    std::int64_t surplus = 0;
    for (std::size_t set = 0; set < view.sets(); ++set) {
        std::vector<float> scores = candidates.scores[set];
        const auto size = static_cast<std::int64_t>(scores.size());
        const auto share = static_cast<std::int64_t>(m_safeguard * static_cast<double>(candidates.target));
        const std::int64_t safe = m_safeguard > 0 ? std::max<std::int64_t>(1, share) : 0;
        const std::int64_t protectedEntries = view.count(set) - size;
        protectHighest(scores, std::clamp<std::int64_t>(safe - protectedEntries, 0, size));
        lists.push_back(std::move(scores));
        surplus += view.count(set) - candidates.target;
    }
    return lowestOfAll(lists, std::max<std::int64_t>(0, surplus), candidates.first);
}

}  // namespace kvist
