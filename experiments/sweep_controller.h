// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The one class that the window and the headless runner need. Everything is asynchronous: a slot returns at
// once, a signal tells the outcome. Works with a QCoreApplication.
//
//     SweepController controller({.makeEngine = [] { return kvist::makeEngine(); }, .resources = "/…/resources"});
//     connect(&controller, &SweepController::storeOpened, …, [&] { controller.planSweep(sweep); });
//     connect(&controller, &SweepController::planned, …, [&](const SweepPlan& plan) { controller.start(plan); });
//     connect(&controller, &SweepController::runProgressed, …);   // live curves
//     connect(&controller, &SweepController::runFinished, …, [&](RunId id) { show(*controller.record(id)); });
//     connect(&controller, &SweepController::sweepFinished, …, &app, &QCoreApplication::quit);
//     controller.openStore("results.sqlite");

#include <QList>
#include <QObject>
#include <QString>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/api/engine.h"
#include "experiments/run_progress.h"
#include "experiments/run_record.h"
#include "experiments/sweep.h"
#include "experiments/sweep_plan.h"

namespace kvist::experiments {

struct ControllerOptions {
    std::function<std::unique_ptr<Engine>()> makeEngine;
    std::string resources;       ///< folder that "resources/…" in sweep files stands for
    std::string programVersion;  ///< stored with each run
};

/// What to do with runs of a plan that are already stored.
enum class StoredRuns { Skip, Repeat };

/// Store, plan, queue and worker behind one object of the GUI thread. Promises: no call waits for a
/// measurement, a model or a write; all signals come in the thread of this object; a run is in the store
/// before runFinished tells of it; a failed run does not stop the others. Starts three threads of its own
/// (measuring, planning, storing) and ends them in the destructor, which interrupts the current run
/// (it is offered again) and takes up to a second.
class SweepController : public QObject {
    Q_OBJECT

public:
    explicit SweepController(ControllerOptions options, QObject* parent = nullptr);
    ~SweepController() override;

    // --- what there is -------------------------------------------------------------------------------
    bool isStoreOpen() const;
    QString storePath() const;

    /// All runs of the store, oldest first. Valid until control returns to the event loop.
    const std::vector<RunRecord>& records() const;
    /// Null for an unknown id. Valid until control returns to the event loop.
    const RunRecord* record(RunId id) const;
    /// Curves, per-token NLL and step times, read from the store now (milliseconds). Empty for a run that is
    /// not finished.
    RunDetails details(RunId id) const;
    /// Runs that an earlier program left unfinished (state Interrupted).
    QList<RunId> interruptedRuns() const;
    /// Runs that answer the last started plan, measured or already stored, in the order of the plan.
    QList<RunId> sweepRuns() const;

    bool isRunning() const;  ///< a run is being measured
    bool isPaused() const;   ///< queued runs wait for resume()
    std::optional<RunId> currentRun() const;
    QList<RunId> queuedRuns() const;  ///< in the order in which they will run
    SweepProgress progress() const;

public Q_SLOTS:
    /// → storeOpened, or storeRefused with the remedy. Creates the file where there is none. Closes the store
    /// that was open; refused while runs are queued or running.
    void openStore(const QString& path);

    /// Takes runs that are not queued or running out of the store, or brings back what was taken out since it was
    /// opened. → recordsReplaced.
    void setRemoved(const QList<kvist::experiments::RunId>& ids, bool isRemoved);

    /// Writes all that is stored to another file, also while runs go on. → storeCopied.
    void saveStoreCopy(const QString& path);

    /// Checks and counts. → planned or planRefused; a newer call supersedes one that is not answered yet, so
    /// call it on every edit. Returns the number that the answer carries. Without a store nothing is stored.
    quint64 planSweep(const kvist::experiments::Sweep& sweep);

    /// Puts the plan's runs at the end of the queue and starts (→ runsQueued, then runStarted …). Refused
    /// combinations are stored as failed. Ends a pause. A plan with nothing to measure ends at once with
    /// sweepFinished; without an open store there is storeFailed.
    void start(const kvist::experiments::SweepPlan& plan, kvist::experiments::StoredRuns stored = StoredRuns::Skip);

    void pause();  ///< after the current run
    void resume();
    void cancelRun(kvist::experiments::RunId id);             ///< running (back within a second) or queued
    void cancelSweep();                                       ///< all of them
    void retry(const QList<kvist::experiments::RunId>& ids);  ///< failed, cancelled or interrupted ones: queued again
    void moveQueued(kvist::experiments::RunId id, qsizetype position);  ///< to that place among the queued runs

    /// Stops for good: the current run and the queued ones become Interrupted and can be taken up by retry()
    /// now or at the next start of the program. → sweepFinished.
    void interrupt();

Q_SIGNALS:
    void storeOpened(const QString& path);
    void storeRefused(const QString& path, const QString& message);
    /// Something could not be written (disk full, file read-only). The queue is paused; nothing stored is lost, and
    /// a result that was just measured waits to be stored again by resume().
    void storeFailed(const QString& message);
    /// Runs are gone or back, so that every record may be another one.
    void recordsReplaced();
    /// saveStoreCopy() has ended; `message` says what went wrong, or is empty.
    void storeCopied(const QString& path, const QString& message);

    void planned(const kvist::experiments::SweepPlan& plan);
    /// `key` names the field that is wrong ("budgets", "policies[1].parameters.sinks"), or is empty.
    void planRefused(quint64 request, const QString& key, const QString& message);

    void runsQueued(const QList<kvist::experiments::RunId>& ids);
    void runStarted(kvist::experiments::RunId id);
    void runProgressed(const kvist::experiments::RunProgress& progress);  ///< at most 20/s, 2/s while timing
    void runFinished(kvist::experiments::RunId id);
    void runFailed(kvist::experiments::RunId id, kvist::ErrorKind kind, const QString& message);
    void runCancelled(kvist::experiments::RunId id);
    void runInterrupted(kvist::experiments::RunId id);
    /// Any field of the record changed (also with the signals above; baseline figures may arrive later).
    void recordChanged(kvist::experiments::RunId id);
    void queueChanged();                                                  ///< order or number of queued runs
    void stateChanged();                                                  ///< isRunning, isPaused or currentRun
    void sweepFinished(const kvist::experiments::SweepSummary& summary);  ///< nothing is queued or running any more

private:
    class Private;
    std::unique_ptr<Private> d;
};

}  // namespace kvist::experiments
