// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "engine/api/run_config.h"
#include "engine/model/model_loader.h"
#include "engine/session/session_options.h"

namespace kvist {

/// The session that a run asks for: its budget, its chunk and the protocol of its evaluation, for `longest` tokens at
/// most.
SessionOptions sessionOptions(const RunConfig& config, const LoadedModel& model, std::int64_t longest);

}  // namespace kvist
