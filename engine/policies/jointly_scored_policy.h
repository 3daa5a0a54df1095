// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/policies/protection.h"
#include "engine/policies/pruning_policy.h"
#include "engine/policies/scorer.h"

namespace kvist {

/// A scorer whose scores of all layers together decide; how, says planAll() of what derives from it. Sinks and recent
/// entries stay, among them those whose queries the scorer looks at.
class JointlyScoredPolicy : public PruningPolicy {
public:
    PolicyNeeds needs() const override { return m_scorer->needs(); }
    PlanDependence dependence() const override { return PlanDependence::Model; }
    std::int64_t sinks() const override { return m_protection.sinks; }
    std::optional<CalibrationRequest> calibration() const override { return m_scorer->calibration(); }
    void calibrate(const Calibration& calibration) override { m_scorer->calibrate(calibration); }
    std::int64_t stateBytes() const override { return m_scorer->stateBytes(); }
    void observe(const LayerObservation& observation) override { m_scorer->observe(observation); }
    /// Plans follow from all layers: EngineError(Internal).
    EvictionPlan plan(const LayerView& view, const PlanContext& context) override;
    std::vector<EvictionPlan> planAll(const CacheView& view, const PlanContext& context) override = 0;

protected:
    JointlyScoredPolicy(std::unique_ptr<Scorer> scorer, const Protection& protection);

    const Scorer& scorer() const { return *m_scorer; }
    const Protection& protection() const { return m_protection; }

private:
    std::unique_ptr<Scorer> m_scorer;
    Protection m_protection;
};

}  // namespace kvist
