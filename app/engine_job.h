// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <stop_token>

#include "engine/api/engine.h"

namespace kvist::app {

/// Runs a job with an engine in a thread of its own while this thread's event loop hears signals; a signal
/// requests the stop. Errors are printed. Returns the exit code: what the job returned, or the one of its
/// error, or the one of the signal that stopped it. Needs a QCoreApplication.
int runEngineJob(const EngineOptions& options, const std::function<int(Engine&, std::stop_token)>& job);

}  // namespace kvist::app
