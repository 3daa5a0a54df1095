// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "engine/api/engine_error.h"
#include "engine/api/evaluation_catalog.h"
#include "engine/api/policy_catalog.h"
#include "engine/policies/policy_factory.h"

namespace kvist {

void checkProtocol(const RunConfig& config) {
    const auto& specs = evaluationInfo(config.evaluation).parameters;
    const auto spec = std::find_if(specs.begin(), specs.end(), [](const auto& one) { return one.name == "protocol"; });
    if (spec == specs.end() || !makePolicy(config.policy, config.policyParameters)->needsPrompt()) {
        return;
    }
    // The first choice streams, the second one holds the prompt.
    const auto given = config.evaluationParameters.find(spec->name);
    const ParameterValue protocol = given == config.evaluationParameters.end() ? spec->defaultValue : given->second;
    if (protocol == ParameterValue(spec->choices.front())) {
        throw EngineError(ErrorKind::InvalidInput, "policy " + config.policy +
                                                       " decides when a whole prompt has been read; choose protocol " +
                                                       spec->choices.back());
    }
}

}  // namespace kvist
