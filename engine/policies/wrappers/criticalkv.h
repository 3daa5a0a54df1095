// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/policy_catalog.h"
#include "engine/policies/scored_policy.h"

namespace kvist {

/// Half of what stays is chosen by the scores of another policy, the rest by these scores times the size of what
/// an entry adds to the output: the L1 norm of its value after the output projection, averaged over the group
/// (Feng et al. 2025, arXiv 2502.03805, algorithm 1). The norms are computed once for each entry and kept.
class CriticalScorer : public Scorer {
public:
    static PolicyInfo info(const std::vector<std::string>& bases);
    static ScoredPolicy::Parts parts(std::unique_ptr<Scorer> base, const ParameterMap& parameters);

    CriticalScorer(std::unique_ptr<Scorer> base, const Protection& protection, double share, double epsilon);

    PolicyNeeds needs() const override;
    std::int64_t window() const override { return m_base->window(); }
    std::optional<CalibrationRequest> calibration() const override { return m_base->calibration(); }
    void calibrate(const Calibration& calibration) override { m_base->calibrate(calibration); }
    std::int64_t stateBytes() const override { return m_base->stateBytes(); }
    void observe(const LayerObservation& observation) override;
    at::Tensor scores(const LayerView& view, std::size_t set, const PlanContext& context) const override;

    /// values [kv_heads, entries, head_dim] and weight [hidden, query_heads · head_dim] → [kv_heads, entries].
    static at::Tensor outputNorms(const at::Tensor& values, const at::Tensor& weight);

private:
    std::size_t normColumn() const { return m_base->needs().columns; }

    std::unique_ptr<Scorer> m_base;
    Protection m_protection;
    double m_share;
    double m_epsilon;
};

}  // namespace kvist
