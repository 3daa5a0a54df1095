// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "engine/api/engine_error.h"
#include "experiments/run_progress.h"
#include "experiments/run_record.h"
#include "experiments/sweep_plan.h"

namespace kvist::experiments {

// What the threads tell the controller. Plain values; those about a run carry its number.

struct StoreOpened {
    std::string path;
    std::vector<RunRecord> records;
};
struct StoreRefused {
    std::string path;
    std::string message;
};
struct StoreFailed {
    std::string message;
};
/// All runs of the store, read anew after some were removed or brought back.
struct RunsReread {
    std::vector<RunRecord> records;
};
struct StoreCopied {
    std::string path;
    std::string failure;  ///< empty where it went well
};
struct Planned {
    SweepPlan plan;
};
struct PlanRefused {
    std::uint64_t request;
    std::string key;
    std::string message;
};
/// Runs are in the store as queued (or failed) for this program; `ticket` names the request.
struct RunsQueued {
    std::uint64_t ticket;
    std::vector<RunRecord> records;
    std::string failure;  ///< why nothing was queued; empty where it went well
};
struct RunStarted {
    RunId id;
    std::string startedAt;
};
/// A run is over and, but for a failing store, stored as such.
struct RunEnded {
    RunId id;
    RunState state;
    ErrorKind kind;                  ///< of a failed run
    std::string message;             ///< of a failed run
    std::vector<RunRecord> records;  ///< the run and those whose figures changed with it
};

using Message = std::variant<StoreOpened, StoreRefused, StoreFailed, RunsReread, StoreCopied, Planned, PlanRefused,
                             RunsQueued, RunStarted, RunProgress, RunEnded>;

}  // namespace kvist::experiments
