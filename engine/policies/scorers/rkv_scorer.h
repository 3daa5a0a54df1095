// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/policy_catalog.h"
#include "engine/policies/scorer.h"

namespace kvist {

/// Attention of the last queries against redundancy (Cai et al. 2025, arXiv 2505.24133, section 3): importance is
/// the softmax of the group's largest logits over the entries before the window, pooled; redundancy the softmax of
/// an entry's mean cosine to all other keys, where each key forgives its newest near-duplicate.
class RkvScorer : public Scorer {
public:
    static PolicyInfo info();
    static constexpr bool kPerHead = true;

    explicit RkvScorer(const ParameterMap& parameters);

    PolicyNeeds needs() const override { return {.queryWindow = m_window}; }
    std::int64_t window() const override { return m_window; }
    at::Tensor scores(const LayerView& view, std::size_t set, const PlanContext& context) const override;

    /// [heads, entries, head_dim] → [heads, entries]. Cosines of `block` keys to all others are in memory at a time.
    static at::Tensor redundancy(const at::Tensor& keys, double threshold, std::int64_t block = 512);

private:
    std::int64_t m_window;
    std::int64_t m_kernel;
    double m_importance;
    double m_threshold;
    bool m_centres;
};

}  // namespace kvist
