// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "engine/api/run_config.h"
#include "engine/api/run_result.h"
#include "experiments/engine_source.h"
#include "experiments/mailbox.h"
#include "experiments/store_worker.h"
#include "experiments/task_thread.h"

namespace kvist::experiments {

/// How the GUI thread ends a run at work: sets what it becomes, then requests the stop.
struct RunControl {
    std::stop_source stop;
    std::atomic<RunState> becomes = RunState::Cancelled;

    void end(RunState state) {
        becomes = state;
        stop.request_stop();
    }
};

/// The thread that measures. Each run is begun and ended in the store before the next; no exception leaves it:
/// every error becomes a RunEnded with its kind, and a failing store a StoreFailed. A result that cannot be
/// stored is kept until storeAgain() or dropResult().
class RunWorker {
public:
    RunWorker(EngineSource& engine, StoreWorker& store, Mailbox& mailbox, std::string programVersion);

    /// → RunStarted, RunProgress …, RunEnded.
    void measure(RunId id, const RunConfig& config, std::shared_ptr<const RunControl> control);

    void storeAgain();
    void dropResult(RunState becomes);

private:
    struct Outcome {
        RunId id = 0;
        RunState state = RunState::Failed;
        RunResult result = {};
        ErrorKind kind = ErrorKind::Internal;
        std::string message = {};
    };

    Outcome outcomeOf(RunId id, const RunConfig& config, const RunControl& control);
    bool begin(RunId id);
    void conclude(Outcome outcome);

    EngineSource& m_engine;
    StoreWorker& m_store;
    Mailbox& m_mailbox;
    const std::string m_programVersion;
    std::optional<Outcome> m_unstored;
    TaskThread m_thread;
};

}  // namespace kvist::experiments
