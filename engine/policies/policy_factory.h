// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include "engine/api/policy_catalog.h"
#include "engine/policies/pruning_policy.h"

namespace kvist {

/// A policy by its id (see policyCatalog()). Missing parameters take their defaults. Throws
/// EngineError(InvalidInput) for unknown ids and parameters and values out of range.
std::unique_ptr<PruningPolicy> makePolicy(const std::string& id, const ParameterMap& parameters);

}  // namespace kvist
