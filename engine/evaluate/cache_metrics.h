// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/api/run_result.h"
#include "engine/session/session.h"

namespace kvist {

/// Adds the byte figures of a session to a result: the kinds live and at the peak, the bytes that one decode
/// step reads, and the process's peak.
void addCacheMetrics(const Session& session, RunResult& result);

/// RunResult::runner of a session that was fed more than a token at a time.
std::string runnerOf(const Session& session);

}  // namespace kvist
