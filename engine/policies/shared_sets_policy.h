// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/policy_catalog.h"
#include "engine/policies/protection.h"
#include "engine/policies/pruning_policy.h"
#include "engine/policies/scorer.h"

namespace kvist {

/// Layers keep the same entries, by scores of all of them together (Mao et al. 2026, arXiv 2604.04921, code). The
/// authors' script keeps for each number of a KV head what has the highest mean score over the layers. Their other
/// form lets every head name its best entries and keeps those of the union with the highest score in any head; since
/// an entry that is among the best by its highest score is among the best of that head, the union decides nothing.
class SharedSetsPolicy : public PruningPolicy {
public:
    enum class Sharing {
        Layers,  ///< one set for each number of a KV head, by the mean over the layers
        Heads,   ///< one set for all layers and heads, by the highest score of any
    };

    /// "none", "layers" or "heads"; optional.
    static ParameterSpec parameter();
    /// None where every layer and head has its own.
    static std::optional<Sharing> from(const ParameterMap& parameters);

    SharedSetsPolicy(std::unique_ptr<Scorer> scorer, const Protection& protection, Sharing sharing);

    PolicyNeeds needs() const override;
    PlanDependence dependence() const override { return PlanDependence::Model; }
    std::int64_t sinks() const override { return m_protection.sinks; }
    std::optional<CalibrationRequest> calibration() const override { return m_scorer->calibration(); }
    void calibrate(const Calibration& calibration) override { m_scorer->calibrate(calibration); }
    std::int64_t stateBytes() const override { return m_scorer->stateBytes(); }
    void observe(const LayerObservation& observation) override { m_scorer->observe(observation); }
    /// Plans follow from all layers: EngineError(Internal).
    EvictionPlan plan(const LayerView& view, const PlanContext& context) override;
    std::vector<EvictionPlan> planAll(const CacheView& view, const PlanContext& context) override;

private:
    std::vector<float> combinedScores(const CacheView& view, std::size_t set, PlanContext context) const;

    std::unique_ptr<Scorer> m_scorer;
    Protection m_protection;
    Sharing m_sharing;
};

}  // namespace kvist
