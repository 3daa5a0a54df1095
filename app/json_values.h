// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include "engine/api/run_config.h"
#include "engine/api/run_result.h"

namespace kvist::app {

/// One finished run for --score: settings, figures by their column names, and circumstances.
nlohmann::ordered_json jsonValue(const RunConfig& config, const RunResult& result);

}  // namespace kvist::app
