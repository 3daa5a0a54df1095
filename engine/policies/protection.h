// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "engine/api/parameter_spec.h"
#include "engine/policies/pruning_policy.h"

namespace kvist {

/// Entries that no score can evict, and how much is evicted at a time: the parameters that policies share, each
/// declared once.
struct Protection {
    std::int64_t sinks = 0;     ///< first entries
    std::int64_t recent = 0;    ///< last entries; fewer where the target is smaller
    double recentShare = 0;     ///< last entries as a share of the target, where that is more
    std::int64_t interval = 1;  ///< tokens that a plan makes room for, at most half the budget

    static ParameterSpec sinksParameter(std::int64_t value);
    static ParameterSpec recentParameter(std::int64_t value);
    static ParameterSpec recentShareParameter(double value);
    static ParameterSpec intervalParameter(std::int64_t value);

    /// Reads those of these parameters that a policy has.
    static Protection from(const ParameterMap& parameters);

    /// Entries that shall stay where a plan is asked for: the context's target, or less to last for `interval`.
    std::int64_t targetOf(const PlanContext& context) const;

    /// Last entries that stay beside the sinks under this target.
    std::int64_t recentOf(std::int64_t target) const;
};

}  // namespace kvist
