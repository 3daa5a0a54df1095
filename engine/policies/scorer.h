// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>

#include "engine/policies/pruning_policy.h"

namespace kvist {

/// Values the entries of a layer; what follows from the values is a ScoredPolicy's business. Keeps nothing of
/// what it sees but columns of the cache.
class Scorer {
public:
    virtual ~Scorer() = default;

    /// All but `perHead`, which the policy decides.
    virtual PolicyNeeds needs() const { return {}; }

    /// Newest entries that the scores cannot judge and that always stay.
    virtual std::int64_t window() const { return 0; }

    /// As of a policy; calibrate() comes before the first session.
    virtual std::optional<CalibrationRequest> calibration() const { return std::nullopt; }
    virtual void calibrate(const Calibration& calibration) { static_cast<void>(calibration); }

    /// Bytes that the scorer keeps beside columns and queries.
    virtual std::int64_t stateBytes() const { return 0; }

    virtual void observe(const LayerObservation& observation) { static_cast<void>(observation); }

    /// [heads, entries] of a set, or [1, entries] for all its heads: higher stays. `context.target` is what will
    /// stay. Values of the last window() entries do not matter.
    virtual at::Tensor scores(const LayerView& view, std::size_t set, const PlanContext& context) const = 0;
};

}  // namespace kvist
