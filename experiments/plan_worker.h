// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>

#include "experiments/engine_source.h"
#include "experiments/file_hash.h"
#include "experiments/mailbox.h"
#include "experiments/sweep.h"
#include "experiments/sweep_planner.h"
#include "experiments/task_thread.h"

namespace kvist::experiments {

/// The thread that looks at models and texts (hashing gigabytes once) and makes plans, so that neither the
/// window nor a run at work waits for it.
class PlanWorker {
public:
    PlanWorker(EngineSource& engine, Mailbox& mailbox, std::string resources);
    /// Stops what is at work.
    ~PlanWorker();

    /// → Planned or PlanRefused, unless a newer request comes first. `known` holds what is stored and how long
    /// runs take.
    void plan(std::uint64_t request, const Sweep& sweep, PlanFacts known);

private:
    Result<SweepPlan> planned(const Sweep& sweep, PlanFacts& facts, std::stop_token stop);

    EngineSource& m_engine;
    Mailbox& m_mailbox;
    const std::string m_resources;
    FileHash m_hash;          // of the thread
    std::stop_source m_plan;  // of the newest request; used by the thread that calls plan() alone
    TaskThread m_thread;
};

}  // namespace kvist::experiments
