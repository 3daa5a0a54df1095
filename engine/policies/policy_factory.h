// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "engine/api/policy_catalog.h"
#include "engine/api/run_config.h"
#include "engine/policies/pruning_policy.h"

namespace kvist {

/// A policy by its id (see policyCatalog()). Missing parameters take their defaults; `seed` is the run's, for
/// policies that draw. Throws EngineError(InvalidInput) for unknown ids and parameters and values out of range.
std::unique_ptr<PruningPolicy> makePolicy(const std::string& id, const ParameterMap& parameters,
                                          std::uint64_t seed = 0);

/// The policy of a configuration with its store, if it has one. Throws likewise.
std::unique_ptr<PruningPolicy> makePolicy(const RunConfig& config);

}  // namespace kvist
