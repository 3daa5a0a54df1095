// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/checked_config.h"

#include <string>

#include "engine/api/engine_error.h"
#include "engine/api/evaluation_catalog.h"
#include "engine/api/policy_catalog.h"

namespace kvist {
namespace {

void requireAtLeast(std::int64_t least, const char* name, std::int64_t given) {
    if (given < least) {
        throw EngineError(ErrorKind::InvalidInput, std::string(name) + " " + std::to_string(given) + ": expected " +
                                                       (least == 0 ? "0 or more tokens" : "at least one token"));
    }
}

}  // namespace

RunConfig checkedConfig(const RunConfig& given) {
    RunConfig config = given;
    const EvaluationInfo& evaluation = evaluationInfo(config.evaluation);
    config.policyParameters =
        completed(policyInfo(config.policy).parameters, config.policyParameters, "policy " + config.policy);
    config.evaluationParameters =
        completed(evaluation.parameters, config.evaluationParameters, "evaluation " + config.evaluation);
    if (!config.store.empty()) {
        config.storeParameters = completed(storeInfo(config.store, config.policy).parameters, config.storeParameters,
                                           "store " + config.store);
    }
    checkBudget(config.policy, config.policyParameters, config.budget);
    requireAtLeast(1, "chunk", config.chunk);
    if (evaluation.usesContexts) {
        requireAtLeast(0, "warm", config.warm);
    }
    if (evaluation.usesContexts && evaluation.usesScore) {
        requireAtLeast(1, "score", config.score);
    }
    if (evaluation.usesDepths) {
        requireAtLeast(1, "depth", config.depth);
    }
    return config;
}

}  // namespace kvist
