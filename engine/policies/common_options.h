// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/api/policy_catalog.h"
#include "engine/policies/pruning_policy.h"

namespace kvist {

/// What can be set for every policy with a budget: when entries go after a prompt, and which layers are left alone.
/// One declaration of the parameters and one place that obeys them.
struct CommonOptions {
    PlanSchedule schedule = PlanSchedule::EveryChunk;
    std::int64_t interval = 1;  ///< tokens between two plans of PlanSchedule::EveryTokens
    std::int64_t skipped = 0;   ///< first layers, which hold everything

    /// Adds the parameters "schedule", with this default, and "skip_layers", and "interval" where a policy has none
    /// of its own ("interval" or "block"). All are optional. Where layers are planned together none is left alone.
    static void addTo(PolicyInfo& info, PlanSchedule schedule, PlanDependence dependence);

    /// `parameters` as completed, optional ones filled in.
    static CommonOptions from(const ParameterMap& parameters);
};

/// A policy that is asked for plans as the options say. Everything else is the inner policy's.
class PolicyWithOptions : public PruningPolicy {
public:
    /// `makesRoom`: the inner policy knows no interval; plans make room for as many tokens at once, at most half of
    /// the budget.
    PolicyWithOptions(std::unique_ptr<PruningPolicy> inner, const CommonOptions& options, bool makesRoom)
        : m_inner(std::move(inner)), m_options(options), m_makesRoom(makesRoom) {}

    PolicyNeeds needs() const override { return m_inner->needs(); }
    PlanDependence dependence() const override { return m_inner->dependence(); }
    PlanSchedule schedule() const override { return m_options.schedule; }
    std::int64_t planInterval() const override { return m_options.interval; }
    bool needsPrompt() const override { return m_inner->needsPrompt(); }
    std::int64_t sinks() const override { return m_inner->sinks(); }
    std::int64_t layerBudget(std::int64_t budget, std::int64_t layer, std::int64_t layers) const override;
    std::optional<std::int64_t> bound(std::int64_t target) const override { return m_inner->bound(target); }
    std::optional<std::int64_t> layerBound(std::int64_t target, std::int64_t heads) const override {
        return m_inner->layerBound(target, heads);
    }
    std::optional<std::int64_t> totalBound(std::int64_t entries) const override { return m_inner->totalBound(entries); }
    std::optional<Replacement> replacement() const override;
    std::optional<CalibrationRequest> calibration() const override { return m_inner->calibration(); }
    void calibrate(const Calibration& calibration) override { m_inner->calibrate(calibration); }
    std::int64_t stateBytes() const override { return m_inner->stateBytes(); }
    void reset() override { m_inner->reset(); }
    void observe(const LayerObservation& observation) override { m_inner->observe(observation); }
    void prefillEnd(ModelProbe& probe, const PlanContext& context) override { m_inner->prefillEnd(probe, context); }
    EvictionPlan plan(const LayerView& view, const PlanContext& context) override;
    std::vector<EvictionPlan> planAll(const CacheView& view, const PlanContext& context) override {
        return m_inner->planAll(view, context);
    }

private:
    std::unique_ptr<PruningPolicy> m_inner;
    CommonOptions m_options;
    bool m_makesRoom;
};

}  // namespace kvist
