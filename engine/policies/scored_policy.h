// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "engine/policies/layer_budgets.h"
#include "engine/policies/merging.h"
#include "engine/policies/protection.h"
#include "engine/policies/pruning_policy.h"
#include "engine/policies/scorer.h"
#include "engine/policies/selection.h"

namespace kvist {

/// A policy put together from parts that know nothing of each other: values of entries, entries that always
/// stay, shares of the layers, who goes, and what those leave behind.
class ScoredPolicy : public PruningPolicy {
public:
    struct Parts {
        std::unique_ptr<Scorer> scorer;
        Protection protection = {};
        bool perHead = true;  ///< each KV head keeps its own entries; else all keep those of the highest mean score
        std::unique_ptr<Selection> selection = std::make_unique<TopScores>();
        std::unique_ptr<LayerBudgets> budgets = std::make_unique<EqualBudgets>();
        std::unique_ptr<Merging> merging = {};  ///< none: values of evicted entries are lost
    };

    explicit ScoredPolicy(Parts parts);

    PolicyNeeds needs() const override;
    std::int64_t sinks() const override { return m_parts.protection.sinks; }
    std::int64_t layerBudget(std::int64_t budget, std::int64_t layer, std::int64_t layers) const override;
    std::optional<std::int64_t> bound(std::int64_t target) const override;
    std::optional<std::int64_t> layerBound(std::int64_t target, std::int64_t heads) const override;
    std::optional<CalibrationRequest> calibration() const override { return m_parts.scorer->calibration(); }
    void calibrate(const Calibration& calibration) override { m_parts.scorer->calibrate(calibration); }
    std::int64_t stateBytes() const override { return m_parts.scorer->stateBytes(); }
    void observe(const LayerObservation& observation) override;
    EvictionPlan plan(const LayerView& view, const PlanContext& context) override;

private:
    Parts m_parts;
};

}  // namespace kvist
