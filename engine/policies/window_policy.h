// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/policy_catalog.h"
#include "engine/policies/pruning_policy.h"

namespace kvist {

/// Sinks and a recent window (Xiao et al. 2023, "Efficient Streaming Language Models with Attention Sinks",
/// arXiv 2309.17453, section 3.2), with original positions as in the article or with the paper's, within the cache.
class WindowPolicy : public PruningPolicy {
public:
    static PolicyInfo info();

    /// Parameters as completed from info().
    explicit WindowPolicy(const ParameterMap& parameters);

    PolicyNeeds needs() const override { return {.compactPositions = m_isCompact}; }
    std::int64_t sinks() const override { return m_sinks; }
    std::optional<Replacement> replacement() const override;
    EvictionPlan plan(const LayerView& view, const PlanContext& context) override;

private:
    std::int64_t m_sinks;
    bool m_isCompact;
};

}  // namespace kvist
