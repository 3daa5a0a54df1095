// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/run_config.h"
#include "engine/session/session_options.h"

namespace kvist {

/// What the parameter "protocol" of a run's evaluation asks of the session.
SessionProtocol sessionProtocol(const RunConfig& config);

}  // namespace kvist
