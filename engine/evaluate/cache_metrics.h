// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/run_result.h"
#include "engine/session/session.h"

namespace kvist {

/// Adds the byte figures of a session to a result: the kinds live and at the peak, the bytes that one decode
/// step reads, and the process's peak.
void addCacheMetrics(const Session& session, RunResult& result);

}  // namespace kvist
