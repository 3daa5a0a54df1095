// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/policy_catalog.h"
#include "engine/policies/scored_policy.h"

namespace kvist {

/// The value of an evicted entry goes to the one that stays with the most similar key, weighted by similarity and by
/// the norms of both values, and the sum is normalised (after Wan et al. 2024, "D2O", arXiv 2406.13035, section 4.3,
/// in the form of NVIDIA's kvpress). Keys are dropped.
class SimilarMerging : public Merging {
public:
    static PolicyInfo info(const std::vector<std::string>& bases);
    static ScoredPolicy::Parts parts(std::unique_ptr<Scorer> base, const ParameterMap& parameters);

    /// `threshold`: least cosine of two keys whose values are merged.
    SimilarMerging(double threshold, bool centres) : m_threshold(threshold), m_centres(centres) {}

    std::vector<ValueMerge> merges(const LayerView& view, std::size_t set, const PlanContext& context,
                                   const std::vector<std::int32_t>& evicted, std::size_t column) const override;

private:
    double m_threshold;
    bool m_centres;
};

}  // namespace kvist
