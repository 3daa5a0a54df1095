// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include "engine/api/run_config.h"

namespace kvist::experiments {

/// A configuration as JSON with every field, those of a store only where there is one, and back (exactly; throws
/// nlohmann::json::exception for what is none). Keys are sorted, so equal configurations give equal text.
nlohmann::json toJson(const RunConfig& config);
RunConfig runConfigOf(const nlohmann::json& json);

/// Parameters as JSON, types kept: {"recent":32,"sinks":4}.
nlohmann::json toJson(const ParameterMap& parameters);

}  // namespace kvist::experiments
