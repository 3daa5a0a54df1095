// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/api/machine_info.h"
#include "engine/api/model_info.h"
#include "engine/api/run_config.h"
#include "experiments/run_state.h"
#include "experiments/sweep.h"

namespace kvist::experiments {

/// One run of a plan, everything resolved.
struct PlannedRun {
    RunConfig config;
    std::string key;
    std::string baselineKey;
    std::string modelName;
    std::string modelFingerprint;
    std::string textHash;
    std::string refusal;           ///< why this combination cannot run, with the remedy; empty where it can
    RunId storedId = 0;            ///< the finished run with this key, 0 where there is none
    bool isAddedBaseline = false;  ///< not asked for, but differences refer to it
    std::int64_t kvBytes = 0;      ///< largest KV payload, estimate
    double seconds = 0;            ///< estimate; NaN while no similar run is known

    bool isRunnable() const { return refusal.empty(); }
};

/// The runs that a sweep stands for, in the order of execution (baselines before what refers to them).
struct SweepPlan {
    std::uint64_t request = 0;  ///< which call of SweepController::planSweep this answers
    Sweep sweep;
    std::vector<PlannedRun> runs;             ///< without duplicates
    std::size_t duplicates = 0;               ///< combinations dropped because an equal one is in the plan
    std::map<std::string, ModelInfo> models;  ///< by resolved path
    MachineInfo machine;

    std::size_t storedCount() const;         ///< already measured: skipped unless repeated
    std::size_t refusedCount() const;        ///< will be stored as failed with the reason
    std::size_t newCount() const;            ///< to be measured
    std::size_t addedBaselineCount() const;  ///< of the new ones
    std::int64_t largestKvBytes() const;     ///< over the runs that can run
    std::int64_t largestMemory() const;      ///< weights and cache of the run that takes most, estimate
    /// Estimate for what is new, and for what is stored where it is measured again; NaN while unknown.
    double secondsToMeasure(bool repeatsStored) const;
};

}  // namespace kvist::experiments
