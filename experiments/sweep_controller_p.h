// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <deque>
#include <memory>
#include <set>
#include <utility>

#include "experiments/engine_source.h"
#include "experiments/mailbox.h"
#include "experiments/plan_worker.h"
#include "experiments/progress_meter.h"
#include "experiments/run_queue.h"
#include "experiments/run_table.h"
#include "experiments/run_worker.h"
#include "experiments/store_worker.h"
#include "experiments/sweep_controller.h"

namespace kvist::experiments {

/// What the controller holds, and what it does with what the threads report. Belongs to the controller's thread.
class SweepController::Private {
public:
    Private(SweepController& controller, ControllerOptions options);
    ~Private();

    /// Hands out what waits in the mailbox; called again by the timer while something may wait.
    void deliver();

    /// Starts the next run where none is at work, or tells that all are done.
    void goOn();

    /// Waiting runs → `state`, here and in the store.
    void endWaiting(const QList<RunId>& ids, RunState state);

    /// Asks the store for runs (→ RunsQueued); `job` gives their numbers.
    void requestRuns(std::function<std::vector<RunId>(ResultStore&)> job);

    /// Everything pending becomes Cancelled or Interrupted.
    void endAll(RunState state);
    void endCurrent(RunState state);

    void on(StoreOpened& message);
    void on(StoreRefused& message);
    void on(StoreFailed& message);
    void on(RunsReread& message);
    void on(StoreCopied& message);
    void on(Planned& message);
    void on(PlanRefused& message);
    void on(RunsQueued& message);
    void on(RunStarted& message);
    void on(RunProgress& message);
    void on(RunEnded& message);

    void pauseForStore(const std::string& message);
    void tellEnd(RunId id, RunState state, ErrorKind kind, const std::string& message);

    SweepController& q;
    const ControllerOptions options;
    QString storePath;
    mutable std::unique_ptr<StoreConnection> reader;  // opened when first needed
    RunTable table;
    RunQueue queue;
    ProgressMeter meter;
    std::deque<Message> messages;                          // taken from the mailbox, not handed out yet
    std::vector<std::pair<std::string, RunId>> sweepRuns;  // keys of the last plan; 0 while not in the store
    quint64 lastRequest = 0;
    std::set<std::uint64_t> awaited;       // tickets of runs asked of the store
    std::set<std::uint64_t> awaitedToEnd;  // of those, the ones cancelled or interrupted meanwhile
    RunState endOfAwaited = RunState::Cancelled;
    std::uint64_t lastTicket = 0;
    bool isActive = false;    // sweepFinished is due when all is done
    bool isUnstored = false;  // the worker holds a result that the store did not take
    std::shared_ptr<RunControl> control;
    QTimer timer;

    // The threads, in the order in which they may be told to end: last declared, first ended.
    Mailbox mailbox;
    EngineSource engine;
    StoreWorker store;
    PlanWorker planner;
    RunWorker worker;
};

}  // namespace kvist::experiments
