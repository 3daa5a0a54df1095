// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace kvist::app {

/// What --list-policies and --list-evaluations print, as text for a person or as JSON.
std::string policyList(bool asJson);
std::string evaluationList(bool asJson);

}  // namespace kvist::app
