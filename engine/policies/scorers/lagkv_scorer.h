// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/policy_catalog.h"
#include "engine/policies/scorer.h"

namespace kvist {

/// Each partition of the entries is judged by the range of the next one (Liang et al. 2025, arXiv 2504.04704,
/// section 3): the spread over the channels of key and value, each put into that range, ranked within the
/// partition. The last full partition and what follows it stay.
class LagKvScorer : public Scorer {
public:
    static PolicyInfo info();
    static constexpr bool kPerHead = true;

    explicit LagKvScorer(const ParameterMap& parameters)
        : m_lag(integerOf(parameters, "lag")), m_sinks(integerOf(parameters, "sinks")) {}

    at::Tensor scores(const LayerView& view, std::size_t set, const PlanContext& context) const override;

private:
    std::int64_t m_lag;
    std::int64_t m_sinks;
};

}  // namespace kvist
