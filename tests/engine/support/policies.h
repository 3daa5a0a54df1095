// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <memory>

#include "engine/policies/pruning_policy.h"

namespace kvist::testing {

/// Passes everything on to another policy; tests override what they want to change or see.
class PolicyWrapper : public PruningPolicy {
public:
    explicit PolicyWrapper(std::unique_ptr<PruningPolicy> inner) : m_inner(std::move(inner)) {}

    PolicyNeeds needs() const override { return m_inner->needs(); }
    PlanDependence dependence() const override { return m_inner->dependence(); }
    PlanSchedule schedule() const override { return m_inner->schedule(); }
    std::int64_t sinks() const override { return m_inner->sinks(); }
    std::int64_t layerBudget(std::int64_t budget, std::int64_t layer, std::int64_t layers) const override {
        return m_inner->layerBudget(budget, layer, layers);
    }
    std::optional<std::int64_t> bound(std::int64_t target) const override { return m_inner->bound(target); }
    std::optional<std::int64_t> layerBound(std::int64_t target, std::int64_t heads) const override {
        return m_inner->layerBound(target, heads);
    }
    void reset() override { m_inner->reset(); }
    void observe(const LayerObservation& observation) override { m_inner->observe(observation); }
    EvictionPlan plan(const LayerView& view, const PlanContext& context) override {
        return m_inner->plan(view, context);
    }

private:
    std::unique_ptr<PruningPolicy> m_inner;
};

/// Claims to depend on the whole model, so that a session runs chunk after chunk through all layers.
class InOrderPolicy : public PolicyWrapper {
public:
    using PolicyWrapper::PolicyWrapper;
    PlanDependence dependence() const override { return PlanDependence::Model; }
};

/// Remembers the most entries that a layer held while attention ran.
class WatchedPolicy : public PolicyWrapper {
public:
    using PolicyWrapper::PolicyWrapper;
    void observe(const LayerObservation& observation) override {
        m_mostHeld = std::max(m_mostHeld, observation.cache.mostHeld());
        m_longestChunk = std::max(m_longestChunk, observation.chunk);
        PolicyWrapper::observe(observation);
    }
    std::int64_t mostHeld() const { return m_mostHeld; }
    std::int64_t longestChunk() const { return m_longestChunk; }

private:
    std::int64_t m_mostHeld = 0;
    std::int64_t m_longestChunk = 0;
};

}  // namespace kvist::testing
