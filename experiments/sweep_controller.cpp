// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/sweep_controller.h"

#include <algorithm>

#include "experiments/run_query.h"
#include "experiments/store_error.h"
#include "experiments/sweep_controller_p.h"

namespace kvist::experiments {

SweepController::SweepController(ControllerOptions options, QObject* parent)
    : QObject(parent), d(std::make_unique<Private>(*this, std::move(options))) {}

SweepController::~SweepController() = default;

bool SweepController::isStoreOpen() const {
    return !d->storePath.isEmpty();
}

QString SweepController::storePath() const {
    return d->storePath;
}

const std::vector<RunRecord>& SweepController::records() const {
    return d->table.all();
}

const RunRecord* SweepController::record(RunId id) const {
    return std::as_const(d->table).find(id);
}

RunDetails SweepController::details(RunId id) const {
    if (!isStoreOpen()) {
        return {};
    }
    try {
        if (!d->reader) {
            d->reader =
                std::make_unique<StoreConnection>(d->storePath.toStdString(), StoreConnection::Access::ReadOnly);
        }
        return RunQuery(*d->reader).details(id);
    } catch (const StoreError&) {
        d->reader.reset();
        return {};
    }
}

QList<RunId> SweepController::interruptedRuns() const {
    QList<RunId> ids;
    for (const RunRecord& record : records()) {
        if (record.state == RunState::Interrupted) {
            ids.append(record.id);
        }
    }
    return ids;
}

QList<RunId> SweepController::sweepRuns() const {
    QList<RunId> ids;
    for (const auto& [key, id] : d->sweepRuns) {
        if (id != 0) {
            ids.append(id);
        }
    }
    return ids;
}

bool SweepController::isRunning() const {
    return d->queue.current().has_value();
}

bool SweepController::isPaused() const {
    return d->queue.isPaused();
}

std::optional<RunId> SweepController::currentRun() const {
    return d->queue.current();
}

QList<RunId> SweepController::queuedRuns() const {
    return d->queue.waiting();
}

SweepProgress SweepController::progress() const {
    return d->meter.progress(d->table, d->queue.current(), d->queue.waiting());
}

void SweepController::openStore(const QString& path) {
    if (!d->queue.isIdle() || !d->awaited.empty()) {
        d->mailbox.post(
            StoreRefused{path.toStdString(), "Runs are queued for the open store; cancel or finish them first."});
        return;
    }
    d->store.open(path.toStdString());
}

void SweepController::setRemoved(const QList<RunId>& ids, bool isRemoved) {
    d->store.write(
        [this, list = std::vector<RunId>(ids.begin(), ids.end()), isRemoved](ResultStore& store) {
            store.setRemoved(list, isRemoved);
            d->mailbox.post(RunsReread{RunQuery(store.connection()).all()});
        },
        [this](const std::string& error) { d->mailbox.post(StoreFailed{error}); });
}

void SweepController::saveStoreCopy(const QString& path) {
    const std::string target = path.toStdString();
    d->store.write(
        [this, target](ResultStore& store) {
            store.copyTo(target);
            d->mailbox.post(StoreCopied{target, {}});
        },
        [this, target](const std::string& error) {
            d->mailbox.post(StoreCopied{target, error});
        });
}

quint64 SweepController::planSweep(const Sweep& sweep) {
    PlanFacts known;
    known.stored = d->table.finished();
    known.estimator = d->table.estimator();
    d->planner.plan(++d->lastRequest, sweep, std::move(known));
    return d->lastRequest;
}

void SweepController::start(const SweepPlan& plan, StoredRuns stored) {
    if (!isStoreOpen()) {
        d->mailbox.post(StoreFailed{"No store is open; open or create one first."});
        return;
    }
    d->sweepRuns.clear();
    std::vector<PlannedRun> runs;
    for (const PlannedRun& run : plan.runs) {
        const auto finished = d->table.finished().find(run.key);
        if (finished != d->table.finished().end() && (stored == StoredRuns::Skip || run.isAddedBaseline)) {
            d->sweepRuns.emplace_back(run.key, finished->second);
        } else {
            d->sweepRuns.emplace_back(run.key, 0);
            runs.push_back(run);
        }
    }
    d->isActive = true;
    d->queue.setPaused(false);
    d->requestRuns([sweep = plan.sweep, runs = std::move(runs)](ResultStore& store) {
        return runs.empty() ? std::vector<RunId>{} : store.add(sweep, runs);
    });
    Q_EMIT stateChanged();
}

void SweepController::pause() {
    if (d->queue.setPaused(true)) {
        Q_EMIT stateChanged();
    }
}

void SweepController::resume() {
    if (d->queue.setPaused(false)) {
        Q_EMIT stateChanged();
        if (std::exchange(d->isUnstored, false)) {
            d->worker.storeAgain();
        }
        d->goOn();
    }
}

void SweepController::cancelRun(RunId id) {
    if (d->queue.current() == id) {
        d->endCurrent(RunState::Cancelled);
    } else if (d->queue.remove(id)) {
        d->endWaiting({id}, RunState::Cancelled);
        d->goOn();
    }
}

void SweepController::cancelSweep() {
    d->endAll(RunState::Cancelled);
}

void SweepController::interrupt() {
    d->endAll(RunState::Interrupted);
}

void SweepController::retry(const QList<RunId>& ids) {
    std::vector<RunId> list;
    for (const RunId id : ids) {
        const RunRecord* known = record(id);
        if (known && known->state != RunState::Finished && !d->queue.contains(id)) {
            list.push_back(id);
        }
    }
    if (!list.empty()) {
        d->isActive = true;
        d->requestRuns([runs = std::move(list)](ResultStore& store) { return store.requeue(runs); });
    }
}

void SweepController::moveQueued(RunId id, qsizetype position) {
    if (d->queue.move(id, position)) {
        Q_EMIT queueChanged();
    }
}

}  // namespace kvist::experiments
