// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/run_config.h"

namespace kvist {

/// The configuration with defaults filled in. Throws EngineError(InvalidInput) that names what cannot be run.
RunConfig checkedConfig(const RunConfig& given);

}  // namespace kvist
