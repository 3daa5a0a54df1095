// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/sweep_controller_p.h"

#include <utility>

#include "experiments/run_query.h"

namespace kvist::experiments {
namespace {

constexpr int kUpdateMs = 50;        // at most 20 updates a second
constexpr int kQuietUpdateMs = 500;  // and 2 while steps are timed

}  // namespace

SweepController::Private::Private(SweepController& controller, ControllerOptions given)
    : q(controller),
      options(std::move(given)),
      engine(options.makeEngine),
      store(mailbox),
      planner(engine, mailbox, options.resources),
      worker(engine, store, mailbox, options.programVersion) {
    timer.setSingleShot(true);
    timer.setInterval(kUpdateMs);
    QObject::connect(&timer, &QTimer::timeout, &q, [this] {
        if (!mailbox.isEmpty()) {
            deliver();
        }
    });
    QObject::connect(
        &mailbox, &Mailbox::filled, &q,
        [this] {
            if (mailbox.isUrgent() || !timer.isActive()) {
                deliver();
            }
        },
        Qt::QueuedConnection);
}

SweepController::Private::~Private() {
    reader.reset();  // so that the store's thread closes the last connection and tidies up the log
    if (control) {
        control->end(RunState::Interrupted);
        worker.dropResult(RunState::Interrupted);
    }
    const QList<RunId> waiting = queue.clear();
    store.write([ids = std::vector<RunId>(waiting.begin(), waiting.end())](
                    ResultStore& results) { results.end(ids, RunState::Interrupted); },
                [](const std::string&) {});  // without it they become Interrupted at the next opening
}

void SweepController::Private::deliver() {
    timer.start();
    for (Message& message : mailbox.take()) {
        messages.push_back(std::move(message));
    }
    while (!messages.empty()) {  // a receiver with an event loop of its own (a dialog) may come here again
        Message message = std::move(messages.front());
        messages.pop_front();
        std::visit([this](auto& content) { on(content); }, message);
    }
}

void SweepController::Private::goOn() {
    if (const auto id = queue.takeNext()) {
        control = std::make_shared<RunControl>();
        worker.measure(*id, table.find(*id)->config, control);
        Q_EMIT q.queueChanged();
        Q_EMIT q.stateChanged();
    } else if (isActive && queue.isIdle() && awaited.empty()) {
        isActive = false;
        queue.setPaused(false);
        const SweepSummary summary = meter.summary();
        meter.reset();
        Q_EMIT q.stateChanged();
        Q_EMIT q.sweepFinished(summary);
    }
}

void SweepController::Private::requestRuns(std::function<std::vector<RunId>(ResultStore&)> job) {
    const std::uint64_t ticket = ++lastTicket;
    awaited.insert(ticket);
    store.write(
        [this, ticket, job = std::move(job)](ResultStore& results) {
            const std::vector<RunId> ids = job(results);
            mailbox.post(RunsQueued{ticket, RunQuery(results.connection()).withIds(ids), {}});
        },
        [this, ticket](const std::string& error) {
            mailbox.post(RunsQueued{ticket, {}, error});
        });
}

void SweepController::Private::endWaiting(const QList<RunId>& ids, RunState state) {
    store.write(
        [list = std::vector<RunId>(ids.begin(), ids.end()), state](ResultStore& results) { results.end(list, state); },
        [this](const std::string& error) { mailbox.post(StoreFailed{error}); });
    for (const RunId id : ids) {
        table.find(id)->state = state;
        meter.addEnded(state, 0);
        tellEnd(id, state, ErrorKind::Cancelled, {});
    }
    Q_EMIT q.queueChanged();
}

void SweepController::Private::endCurrent(RunState state) {
    if (control) {
        control->end(state);
        if (std::exchange(isUnstored, false)) {
            worker.dropResult(state);
        }
    }
}

void SweepController::Private::endAll(RunState state) {
    endOfAwaited = state;
    awaitedToEnd = awaited;
    endCurrent(state);
    if (const QList<RunId> waiting = queue.clear(); !waiting.isEmpty()) {
        endWaiting(waiting, state);
    }
    goOn();
}

void SweepController::Private::pauseForStore(const std::string& message) {
    queue.setPaused(true);
    Q_EMIT q.stateChanged();
    Q_EMIT q.storeFailed(QString::fromStdString(message));
}

void SweepController::Private::tellEnd(RunId id, RunState state, ErrorKind kind, const std::string& message) {
    Q_EMIT q.recordChanged(id);
    switch (state) {
        case RunState::Finished:
            Q_EMIT q.runFinished(id);
            break;
        case RunState::Failed:
            Q_EMIT q.runFailed(id, kind, QString::fromStdString(message));
            break;
        case RunState::Cancelled:
            Q_EMIT q.runCancelled(id);
            break;
        default:
            Q_EMIT q.runInterrupted(id);
            break;
    }
}

void SweepController::Private::on(StoreOpened& message) {
    reader.reset();
    storePath = QString::fromStdString(message.path);
    table.reset(std::move(message.records));
    sweepRuns.clear();
    Q_EMIT q.storeOpened(storePath);
}

void SweepController::Private::on(StoreRefused& message) {
    Q_EMIT q.storeRefused(QString::fromStdString(message.path), QString::fromStdString(message.message));
}

void SweepController::Private::on(StoreFailed& message) {
    isUnstored = queue.current().has_value();
    pauseForStore(message.message);
}

void SweepController::Private::on(RunsReread& message) {
    table.reset(std::move(message.records));
    std::erase_if(sweepRuns, [this](const auto& run) { return run.second != 0 && table.find(run.second) == nullptr; });
    Q_EMIT q.recordsReplaced();
}

void SweepController::Private::on(StoreCopied& message) {
    Q_EMIT q.storeCopied(QString::fromStdString(message.path), QString::fromStdString(message.failure));
}

void SweepController::Private::on(Planned& message) {
    if (message.plan.request == lastRequest) {
        Q_EMIT q.planned(message.plan);
    }
}

void SweepController::Private::on(PlanRefused& message) {
    if (message.request == lastRequest) {
        Q_EMIT q.planRefused(message.request, QString::fromStdString(message.key),
                             QString::fromStdString(message.message));
    }
}

void SweepController::Private::on(RunsQueued& message) {
    awaited.erase(message.ticket);
    const bool isToEnd = awaitedToEnd.erase(message.ticket) > 0;
    QList<RunId> ids;
    QList<RunId> refused;
    for (RunRecord& record : message.records) {
        const RunId id = record.id;
        const RunState state = record.state;
        for (auto& [key, runId] : sweepRuns) {
            runId = key == record.key ? id : runId;
        }
        table.put(std::move(record));
        if (state == RunState::Failed) {
            refused.append(id);
        } else if (state == RunState::Queued && queue.append(id)) {
            ids.append(id);
        }
    }
    meter.addQueued(static_cast<std::size_t>(ids.size() + refused.size()));
    if (!message.failure.empty()) {
        pauseForStore(message.failure);
    }
    Q_EMIT q.runsQueued(ids);
    for (const RunId id : refused) {
        meter.addEnded(RunState::Failed, 0);
        tellEnd(id, RunState::Failed, ErrorKind::InvalidInput, table.find(id)->errorMessage);
    }
    if (isToEnd) {
        for (const RunId id : ids) {
            queue.remove(id);
        }
        endWaiting(ids, endOfAwaited);
    }
    Q_EMIT q.queueChanged();
    goOn();
}

void SweepController::Private::on(RunStarted& message) {
    RunRecord& record = *table.find(message.id);
    record.state = RunState::Running;
    record.startedAt = message.startedAt;
    Q_EMIT q.recordChanged(message.id);
    Q_EMIT q.runStarted(message.id);
}

void SweepController::Private::on(RunProgress& message) {
    timer.setInterval(isTimed(message.phase) ? kQuietUpdateMs : kUpdateMs);
    meter.setCurrent(message);
    Q_EMIT q.runProgressed(message);
}

void SweepController::Private::on(RunEnded& message) {
    timer.setInterval(kUpdateMs);
    queue.finishCurrent();
    control.reset();
    isUnstored = false;
    if (message.records.empty()) {  // the store failed: the record is as far as this program knows
        RunRecord& record = *table.find(message.id);
        record.state = message.state;
        record.errorKind = message.state == RunState::Failed ? toString(message.kind) : "";
        record.errorMessage = message.message;
    }
    QList<RunId> others;
    for (RunRecord& record : message.records) {
        if (record.id != message.id) {
            others.append(record.id);
        }
        table.put(std::move(record));
    }
    const RunRecord& record = *table.find(message.id);
    const double seconds = record.metric("seconds");
    meter.addEnded(message.state, seconds > 0 ? seconds : 0);
    tellEnd(message.id, message.state, message.kind, message.message);
    for (const RunId id : others) {
        Q_EMIT q.recordChanged(id);
    }
    goOn();
    if (!queue.current()) {
        Q_EMIT q.stateChanged();
    }
}

}  // namespace kvist::experiments
