// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "engine/api/machine_info.h"
#include "engine/api/model_info.h"
#include "experiments/result.h"
#include "experiments/sweep.h"
#include "experiments/sweep_plan.h"
#include "experiments/time_estimator.h"

namespace kvist::experiments {

/// What a plan follows from besides the sweep.
struct PlanFacts {
    std::vector<ModelInfo> models;  ///< of Sweep::models, in that order
    MachineInfo machine;
    std::string textFile;  ///< absolute; empty where the sweep names no text
    std::string textHash;
    std::unordered_map<std::string, RunId> stored;  ///< finished runs by key
    TimeEstimator estimator;
};

/// The runs of a sweep. For each model, repetition and evaluation with its parameters and context (or depth)
/// the full-cache baseline comes first; it is added where the sweep does not ask for it. A policy that cannot work
/// with a budget gives a run with a refusal; a sweep that has a wrong or missing field is refused as a whole.
Result<SweepPlan> makePlan(const Sweep& sweep, const PlanFacts& facts);

}  // namespace kvist::experiments
