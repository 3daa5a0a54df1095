// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "engine/api/run_observer.h"
#include "engine/api/run_result.h"
#include "experiments/run_state.h"

namespace kvist::experiments {

/// Whether steps are timed, or soon will be: nobody may do more than needed then, since it would show in the figures.
inline bool isTimed(RunPhase phase) {
    return phase == RunPhase::WarmingUp || phase == RunPhase::Timing;
}

/// Where a running measurement stands, with the points that came since the previous one.
struct RunProgress {
    RunId id = 0;
    RunPhase phase = RunPhase::Loading;
    std::int64_t done = 0;                ///< in units of the phase
    std::int64_t total = 0;               ///< 0 while unknown
    double seconds = 0;                   ///< since the run started
    std::map<std::string, Curve> points;  ///< by curve ("nll", "kv_payload_bytes"); append them
};

/// Where the whole queue stands, for the status bar.
struct SweepProgress {
    std::size_t done = 0;  ///< runs ended in any way since the queue was last empty
    std::size_t failed = 0;
    std::size_t total = 0;
    double fraction = 0;     ///< of the expected time, 0 … 1
    double secondsLeft = 0;  ///< NaN while nothing is known about the speed
};

/// What a sweep came to.
struct SweepSummary {
    std::size_t finished = 0;
    std::size_t failed = 0;
    std::size_t cancelled = 0;
    std::size_t interrupted = 0;
};

}  // namespace kvist::experiments
