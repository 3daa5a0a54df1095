// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/policy_catalog.h"
#include "engine/policies/scorer.h"

namespace kvist {

/// The last queries vote: their mean attention, pooled over neighbours and averaged over the group (Li et al. 2024,
/// arXiv 2404.14469, section 4). The votes go to the entries before the window of these queries, which stays.
class SnapKvScorer : public Scorer {
public:
    static PolicyInfo info();
    static constexpr bool kPerHead = true;

    explicit SnapKvScorer(const ParameterMap& parameters);

    /// The declarations of window, kernel and pooling.
    static std::vector<ParameterSpec> ownParameters();

    PolicyNeeds needs() const override { return {.queryWindow = m_window}; }
    std::int64_t window() const override { return m_window; }
    at::Tensor scores(const LayerView& view, std::size_t set, const PlanContext& context) const override;

private:
    std::int64_t m_window;
    std::int64_t m_kernel;
    bool m_poolsMaximum;
};

}  // namespace kvist
