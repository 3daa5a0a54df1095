// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/policy_catalog.h"
#include "engine/policies/scored_policy.h"

namespace kvist {

/// Cache merging (Zhang et al. 2024, "CaM", ICML 2024, algorithm 1): with a probability equal to its attention
/// relative to theirs, the value of an evicted entry is spread over the next ones that stay. Keys are dropped.
class CacheMerging : public Merging {
public:
    static PolicyInfo info(const std::vector<std::string>& bases);
    static ScoredPolicy::Parts parts(std::unique_ptr<Scorer> base, const ParameterMap& parameters, std::uint64_t seed);

    /// `spread`: entries that share a value; without `draws` each gets its share times the probability.
    CacheMerging(std::int64_t spread, bool draws, std::uint64_t seed)
        : m_spread(spread), m_draws(draws), m_seed(seed) {}

    PolicyNeeds needs() const override { return {.attentionMass = true, .columns = 1}; }
    void observe(const LayerObservation& observation, std::size_t column) override;
    std::vector<ValueMerge> merges(const LayerView& view, std::size_t set, const PlanContext& context,
                                   const std::vector<std::int32_t>& evicted, std::size_t column) const override;

private:
    std::int64_t m_spread;
    bool m_draws;
    std::uint64_t m_seed;
};

}  // namespace kvist
