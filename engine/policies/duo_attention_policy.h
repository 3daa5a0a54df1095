// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/api/policy_catalog.h"
#include "engine/policies/pruning_policy.h"

namespace kvist {

/// Two classes of KV heads: streaming heads hold sinks and recent entries, retrieval heads everything else that the
/// budget allows, which is the mean over all heads (Xiao et al. 2024, arXiv 2410.10819, section 3). The paper finds
/// the classes by optimising a gate for each head; here those heads retrieve that pay the greatest share of their
/// attention to entries that are neither sinks nor recent, as a calibration measured it. Where a retrieval head's
/// share of the budget is exceeded its oldest entries go.
class DuoAttentionPolicy : public PruningPolicy {
public:
    static PolicyInfo info();

    /// Parameters as completed from info().
    explicit DuoAttentionPolicy(const ParameterMap& parameters);

    PolicyNeeds needs() const override { return {.perHead = true}; }
    std::int64_t sinks() const override { return m_sinks; }
    std::optional<CalibrationRequest> calibration() const override {
        return CalibrationRequest{CalibrationKind::DistantAttention, m_sinks, m_recent};
    }
    void calibrate(const Calibration& calibration) override;
    std::int64_t stateBytes() const override;
    /// The budget itself before calibrate().
    std::int64_t layerBudget(std::int64_t budget, std::int64_t layer, std::int64_t layers) const override;
    std::optional<std::int64_t> bound(std::int64_t) const override { return std::nullopt; }
    std::optional<std::int64_t> layerBound(std::int64_t target, std::int64_t heads) const override {
        return target * heads;
    }
    EvictionPlan plan(const LayerView& view, const PlanContext& context) override;

    /// Entries that each head of a layer may hold where the layer holds `target` on average, before `coming` more.
    std::vector<std::int64_t> shares(std::int64_t layer, std::int64_t target, std::int64_t coming) const;

private:
    std::int64_t retrievalHeads(std::int64_t layer) const;

    std::int64_t m_sinks;
    std::int64_t m_recent;
    double m_retrieval;
    std::vector<std::vector<bool>> m_retrieves;  // by layer and KV head
};

}  // namespace kvist
