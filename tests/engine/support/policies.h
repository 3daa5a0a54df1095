// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <memory>

#include "engine/policies/pruning_policy.h"

namespace kvist::testing {

/// Passes everything on to another policy; tests override what they want to change or see.
class PolicyWrapper : public PruningPolicy {
public:
    explicit PolicyWrapper(std::unique_ptr<PruningPolicy> inner) : m_inner(std::move(inner)) {
        setStore(m_inner->store());
    }

    PolicyNeeds needs() const override { return m_inner->needs(); }
    PlanDependence dependence() const override { return m_inner->dependence(); }
    PlanSchedule schedule() const override { return m_inner->schedule(); }
    std::int64_t planInterval() const override { return m_inner->planInterval(); }
    bool needsPrompt() const override { return m_inner->needsPrompt(); }
    std::int64_t sinks() const override { return m_inner->sinks(); }
    std::int64_t layerBudget(std::int64_t budget, std::int64_t layer, std::int64_t layers) const override {
        return m_inner->layerBudget(budget, layer, layers);
    }
    std::optional<std::int64_t> bound(std::int64_t target) const override { return m_inner->bound(target); }
    std::optional<std::int64_t> layerBound(std::int64_t target, std::int64_t heads) const override {
        return m_inner->layerBound(target, heads);
    }
    std::optional<std::int64_t> totalBound(std::int64_t entries) const override { return m_inner->totalBound(entries); }
    void reset() override { m_inner->reset(); }
    void observe(const LayerObservation& observation) override { m_inner->observe(observation); }
    void prefillEnd(ModelProbe& probe, const PlanContext& context) override { m_inner->prefillEnd(probe, context); }
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

/// Asks for plans at other times.
class ScheduledPolicy : public PolicyWrapper {
public:
    ScheduledPolicy(std::unique_ptr<PruningPolicy> inner, PlanSchedule schedule, std::int64_t interval = 1,
                    PlanDependence dependence = PlanDependence::Layer)
        : PolicyWrapper(std::move(inner)), m_schedule(schedule), m_interval(interval), m_dependence(dependence) {}

    PlanSchedule schedule() const override { return m_schedule; }
    std::int64_t planInterval() const override { return m_interval; }
    PlanDependence dependence() const override { return m_dependence; }

private:
    PlanSchedule m_schedule;
    std::int64_t m_interval;
    PlanDependence m_dependence;
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
