// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/parameter_spec.h"

namespace kvist {

/// The choice of the scorer that a policy builds upon. It runs with its own defaults, except for parameters that
/// the policy itself has.
ParameterSpec baseParameter(std::string id, std::vector<std::string> bases);

}  // namespace kvist
