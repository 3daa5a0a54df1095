// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/policy_catalog.h"
#include "engine/policies/protection.h"
#include "engine/policies/pruning_policy.h"
#include "engine/policies/scorer.h"

namespace kvist {

/// All layers and heads share one budget: the lowest scores of all together go, as KVzip does with its own (Kim et al.
/// 2025, arXiv 2505.23416, section 3.3). Sinks and recent entries of each head stay.
class GlobalPolicy : public PruningPolicy {
public:
    static PolicyInfo info(const std::vector<std::string>& bases);

    GlobalPolicy(std::unique_ptr<Scorer> scorer, const ParameterMap& parameters);

    PolicyNeeds needs() const override;
    PlanDependence dependence() const override { return PlanDependence::Model; }
    std::int64_t sinks() const override { return m_protection.sinks; }
    std::optional<std::int64_t> bound(std::int64_t) const override { return std::nullopt; }
    std::optional<CalibrationRequest> calibration() const override { return m_scorer->calibration(); }
    void calibrate(const Calibration& calibration) override { m_scorer->calibrate(calibration); }
    std::int64_t stateBytes() const override { return m_scorer->stateBytes(); }
    void observe(const LayerObservation& observation) override { m_scorer->observe(observation); }
    /// Plans follow from all layers: EngineError(Internal).
    EvictionPlan plan(const LayerView& view, const PlanContext& context) override;
    std::vector<EvictionPlan> planAll(const CacheView& view, const PlanContext& context) override;

private:
    std::unique_ptr<Scorer> m_scorer;
    Protection m_protection;
};

}  // namespace kvist
