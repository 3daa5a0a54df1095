// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/policy_catalog.h"
#include "engine/policies/scorer.h"

namespace kvist {

/// The attention that future queries are expected to pay (Devoto et al. 2025, arXiv 2510.00636, section 3): queries
/// before rotation are taken as normally distributed with mean and covariance of the recent ones and rotated to
/// the mean of the next positions; times the norm of the value.
class ExpectedAttentionScorer : public Scorer {
public:
    static PolicyInfo info();
    static constexpr bool kPerHead = true;

    explicit ExpectedAttentionScorer(const ParameterMap& parameters);

    PolicyNeeds needs() const override { return {.queryWindow = m_window}; }
    at::Tensor scores(const LayerView& view, std::size_t set, const PlanContext& context) const override;

    /// Logarithm of the expected exponential logit, [heads, group, entries], of keys [heads, entries, head_dim] for
    /// queries of mean [heads, group, head_dim] and covariance [heads, group, head_dim, head_dim].
    static at::Tensor expectedLogits(const at::Tensor& keys, const at::Tensor& mean, const at::Tensor& covariance);

private:
    std::int64_t m_window;
    std::int64_t m_future;
    std::int64_t m_sinks;
    bool m_usesCovariance;
    double m_epsilon;
};

}  // namespace kvist
