// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <stop_token>

#include "engine/api/run_config.h"
#include "engine/api/run_observer.h"
#include "engine/api/run_result.h"
#include "engine/model/model_loader.h"
#include "engine/policies/pruning_policy.h"

namespace kvist {

/// Measures one thing: drives a session and fills the metrics, curves and notes of a result. Knows nothing of
/// which policy it is.
class Evaluator {
public:
    virtual ~Evaluator() = default;

    /// `config` is complete and checked. Throws EngineError.
    virtual RunResult evaluate(const LoadedModel& model, PruningPolicy& policy, const RunConfig& config,
                               RunObserver& observer, std::stop_token stop) const = 0;
};

/// The evaluator of an id of evaluationCatalog(); throws EngineError(InvalidInput) for others. `cacheFolder`: where
/// what was computed from a model is kept for later runs; empty: nowhere.
std::unique_ptr<Evaluator> makeEvaluator(const std::string& id, const std::string& cacheFolder = {});

}  // namespace kvist
