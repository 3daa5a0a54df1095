// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/wrappers/cam.h"

#include <algorithm>
#include <numeric>

#include "engine/policies/keyed_random.h"
#include "engine/policies/received_attention.h"
#include "engine/policies/wrappers/base_parameter.h"
#include "engine/policies/wrappers/survivors.h"

namespace kvist {

PolicyInfo CacheMerging::info(const std::vector<std::string>& bases) {
    return {.id = "cam",
            .title = "CaM",
            .group = "Merging",
            .summary =
                "Spreads the value of an evicted entry over the next ones that stay, with a probability that "
                "follows from the attention that they have received.",
            .paper = "Zhang et al. 2024, ICML 2024 (openreview LCTmppB165), algorithm 1",
            .usesBudget = true,
            .isReconstruction = false,
            .parameters = {baseParameter("window", bases),
                           ParameterSpec::integer("spread", "Spread", 32, 1, 1024, "entries",
                                                  "Next entries that share the value of an evicted one."),
                           ParameterSpec::boolean("draws", "Draws", true,
                                                  "Draw whether a value is merged; off: merge its expected share."),
                           Protection::sinksParameter(4), Protection::recentParameter(0),
                           Protection::intervalParameter(1)}};
}

ScoredPolicy::Parts CacheMerging::parts(std::unique_ptr<Scorer> base, const ParameterMap& parameters,
                                        std::uint64_t seed) {
    return {.scorer = std::move(base),
            .protection = Protection::from(parameters),
            .merging =
                std::make_unique<CacheMerging>(integerOf(parameters, "spread"), booleanOf(parameters, "draws"), seed)};
}

void CacheMerging::observe(const LayerObservation& observation, std::size_t column) {
    addReceivedAttention(observation, column);
}

std::vector<ValueMerge> CacheMerging::merges(const LayerView& view, std::size_t set, const PlanContext& context,
                                             const std::vector<std::int32_t>& evicted, std::size_t column) const {
    const std::vector<float> attention = view.column(set, column, 0, view.count(set));
    const std::vector<std::int32_t> kept = survivors(evicted, view.count(set));
    std::vector<ValueMerge> merges;
    for (const std::int32_t gone : evicted) {
        const auto first = std::upper_bound(kept.begin(), kept.end(), gone);
        const auto last = first + std::min<std::ptrdiff_t>(m_spread, kept.end() - first);
        const float sum = std::accumulate(first, last, 0.0F, [&](float total, std::int32_t entry) {
            return total + attention[static_cast<std::size_t>(entry)];
        });
        const auto share = static_cast<float>(last - first);
        const float own = attention[static_cast<std::size_t>(gone)] * share;
        float chance = own < sum ? own / sum : (own > 0 ? 1.0F : 0.0F);
        if (m_draws) {
            chance = keyedRandom({m_seed, static_cast<std::uint64_t>(context.layer), set,
                                  static_cast<std::uint64_t>(view.position(set, gone))}) < chance
                         ? 1.0F
                         : 0.0F;
        }
        for (auto next = first; next != last && chance > 0; ++next) {
            merges.push_back({gone, *next, chance / share});
        }
    }
    return merges;
}

}  // namespace kvist
