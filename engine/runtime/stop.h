// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>

#include "engine/api/engine_error.h"

namespace kvist {

/// Throws EngineError(Cancelled) after a stop request. Called at every token, chunk, layer and 64 MiB.
inline void throwIfStopped(const std::stop_token& stop) {
    if (stop.stop_requested()) {
        throw EngineError(ErrorKind::Cancelled, "stopped");
    }
}

}  // namespace kvist
