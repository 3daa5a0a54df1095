// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/parameter_spec.h"

namespace kvist {

/// The choice of the scorer that a policy builds upon. Its parameters follow in the list, with its own defaults,
/// except for those that the policy itself has.
ParameterSpec baseParameter(std::string id, std::vector<std::string> bases);

}  // namespace kvist
