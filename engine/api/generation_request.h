// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "engine/api/run_config.h"

namespace kvist {

/// Text to continue greedily under a policy.
struct GenerationRequest {
    ModelChoice model;
    std::string prompt;
    std::string policy = "full";
    ParameterMap policyParameters;
    std::string store;  ///< as RunConfig::store
    ParameterMap storeParameters;
    std::int64_t budget = 0;
    std::int64_t chunk = 32;
    std::int64_t tokens = 128;  ///< at most; ends earlier at the model's end-of-text token
    std::uint64_t seed = 0;
    bool isChat = false;  ///< the prompt is the user's turn of the model's chat template, where it has one
};

}  // namespace kvist
