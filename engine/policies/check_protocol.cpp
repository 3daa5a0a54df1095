// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/engine_error.h"
#include "engine/api/evaluation_catalog.h"
#include "engine/api/policy_catalog.h"
#include "engine/policies/policy_factory.h"

namespace kvist {

void checkProtocol(const RunConfig& config) {
    const ParameterSpec* protocol = specOf(evaluationInfo(config.evaluation).parameters, "protocol", {});
    if (protocol != nullptr && !holdsPrompt(config) &&
        makePolicy(config.policy, config.policyParameters)->needsPrompt()) {
        // The choice that holds a prompt stands last.
        throw EngineError(ErrorKind::InvalidInput, "policy " + config.policy +
                                                       " decides when a whole prompt has been read; choose protocol " +
                                                       protocol->choices.back());
    }
}

}  // namespace kvist
