// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/wrappers/base_parameter.h"

namespace kvist {

ParameterSpec baseParameter(std::string id, std::vector<std::string> bases) {
    return ParameterSpec::choice("base", "Base", std::move(id), std::move(bases), "Policy whose scores are used.");
}

}  // namespace kvist
