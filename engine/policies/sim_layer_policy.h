// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>

#include "engine/api/policy_catalog.h"
#include "engine/policies/pruning_policy.h"

namespace kvist {

/// Lazy layers hold sinks and recent entries, the others everything: a layer is lazy if at the prompt's end the last
/// queries pay more than a share of their attention to those (Zhang et al. 2024, arXiv 2410.13846, section 3). There
/// is no budget; what is saved depends on the model and the prompt. Decided once for each layer.
class SimLayerPolicy : public PruningPolicy {
public:
    static PolicyInfo info();

    /// Parameters as completed from info().
    explicit SimLayerPolicy(const ParameterMap& parameters);

    PolicyNeeds needs() const override { return {.queryWindow = m_last}; }
    bool needsPrompt() const override { return true; }
    std::int64_t sinks() const override { return m_sinks; }
    std::int64_t layerBudget(std::int64_t, std::int64_t, std::int64_t) const override { return m_sinks + m_recent; }
    std::optional<std::int64_t> bound(std::int64_t) const override { return std::nullopt; }
    void reset() override { m_isLazy.clear(); }
    EvictionPlan plan(const LayerView& view, const PlanContext& context) override;

    /// The share of the last queries' attention that goes to sinks and to the recent entries before these queries.
    double nearbyShare(const LayerView& view) const;

private:
    std::int64_t m_sinks;
    std::int64_t m_recent;
    std::int64_t m_last;
    double m_threshold;
    std::map<std::int64_t, bool> m_isLazy;  // by layer; layers that were never judged hold everything
};

}  // namespace kvist
