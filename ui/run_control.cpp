// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run_control.h"

#include <algorithm>

#include "ui/charts/run_groups.h"

namespace kvist::ui {

using experiments::RunId;
using experiments::RunRecord;
using experiments::RunState;
using experiments::SweepController;

namespace {

const auto kStoreTopic = QStringLiteral("store");
const auto kInterruptedTopic = QStringLiteral("interrupted");
const auto kFailureTopic = QStringLiteral("failure");
const auto kRemovedTopic = QStringLiteral("removed");
const QList<RunState> kEndedStates{RunState::Finished, RunState::Failed, RunState::Cancelled, RunState::Interrupted};

}  // namespace

RunControl::RunControl(SweepController& controller, const Actions& actions, Selection& selection, MessageBar& messages,
                       QObject* parent)
    : QObject(parent), m_controller(controller), m_actions(actions), m_selection(selection), m_messages(messages) {
    connect(actions.pause, &QAction::triggered, this, [this](bool isChecked) {
        if (isChecked) {
            m_controller.pause();
        } else {
            m_controller.resume();
        }
    });
    connect(actions.cancelRun, &QAction::triggered, this, &RunControl::cancelRuns);
    connect(actions.cancelSweep, &QAction::triggered, &controller, &SweepController::cancelSweep);
    connect(actions.retry, &QAction::triggered, this, &RunControl::retryRuns);
    connect(actions.removeRuns, &QAction::triggered, this, &RunControl::removeRuns);
    connect(actions.runNext, &QAction::triggered, this, [this] {
        const QList<RunId> selected = selectedIn({RunState::Queued});
        std::for_each(selected.rbegin(), selected.rend(), [this](RunId id) { m_controller.moveQueued(id, 0); });
    });
    connect(actions.runLast, &QAction::triggered, this, [this] {
        for (const RunId id : selectedIn({RunState::Queued})) {
            m_controller.moveQueued(id, m_controller.queuedRuns().size());
        }
    });

    connect(&controller, &SweepController::stateChanged, this, &RunControl::refresh);
    connect(&controller, &SweepController::queueChanged, this, &RunControl::refresh);
    connect(&controller, &SweepController::recordChanged, this, &RunControl::refresh);
    connect(&selection, &Selection::changed, this, &RunControl::refresh);
    connect(&controller, &SweepController::storeOpened, this, [this] {
        m_messages.removeMessage(kStoreTopic);
        m_messages.removeMessage(kRemovedTopic);
        offerInterrupted();
        refresh();
    });
    connect(&controller, &SweepController::storeRefused, this, [this](const QString&, const QString& message) {
        m_messages.showMessage(kStoreTopic, MessageKind::Error, message,
                               {tr("Choose another file…"), [this] { m_actions.openStore->trigger(); }});
    });
    connect(&controller, &SweepController::storeFailed, this, [this](const QString& message) {
        m_messages.showMessage(kStoreTopic, MessageKind::Error, message,
                               {tr("Go on"), [this] { m_controller.resume(); }});
    });
    connect(&controller, &SweepController::runFailed, this,
            [this](RunId id, ErrorKind, const QString& message) { tellFailure(id, message); });
    connect(&controller, &SweepController::runsQueued, this, [this] { m_messages.removeMessage(kFailureTopic); });
    refresh();
}

void RunControl::refresh() {
    const bool hasQueue = !m_controller.queuedRuns().isEmpty();
    const bool isBusy = m_controller.isRunning() || hasQueue;
    m_actions.pause->setEnabled(isBusy || m_controller.isPaused());
    m_actions.pause->setChecked(m_controller.isPaused());
    m_actions.pause->setText(m_controller.isPaused() ? tr("&Resume") : tr("&Pause"));
    const bool hasQueuedSelected = !selectedIn({RunState::Queued}).isEmpty();
    m_actions.removeRuns->setEnabled(!selectedIn(kEndedStates).isEmpty());
    m_actions.runNext->setEnabled(hasQueuedSelected);
    m_actions.runLast->setEnabled(hasQueuedSelected);
    m_actions.cancelRun->setEnabled(m_controller.isRunning() || hasQueuedSelected);
    m_actions.cancelSweep->setEnabled(isBusy);
    m_actions.retry->setEnabled(!selectedIn({RunState::Failed, RunState::Cancelled, RunState::Interrupted}).isEmpty());
}

void RunControl::cancelRuns() {
    const QList<RunId> selected = selectedIn({RunState::Queued, RunState::Running});
    for (const RunId id : selected) {
        m_controller.cancelRun(id);
    }
    if (const auto current = m_controller.currentRun(); selected.isEmpty() && current) {
        m_controller.cancelRun(*current);
    }
}

void RunControl::retryRuns() {
    m_controller.retry(selectedIn({RunState::Failed, RunState::Cancelled, RunState::Interrupted}));
}

void RunControl::removeRuns() {
    const QList<RunId> ids = selectedIn(kEndedStates);
    if (ids.isEmpty()) {
        return;
    }
    m_controller.setRemoved(ids, true);
    m_messages.showMessage(
        kRemovedTopic, MessageKind::Info,
        tr("Runs removed: %1. They are deleted when this results file is opened the next time.").arg(ids.size()),
        {tr("Undo"), [this, ids] { m_controller.setRemoved(ids, false); }});
}

void RunControl::offerInterrupted() {
    const QList<RunId> interrupted = m_controller.interruptedRuns();
    if (interrupted.isEmpty()) {
        m_messages.removeMessage(kInterruptedTopic);
        return;
    }
    m_messages.showMessage(kInterruptedTopic, MessageKind::Info,
                           tr("Runs interrupted when the program ended last time: %1.").arg(interrupted.size()),
                           {tr("Resume"), [this] { m_controller.retry(m_controller.interruptedRuns()); }});
}

void RunControl::tellFailure(RunId id, const QString& message) {
    const RunRecord* record = m_controller.record(id);
    m_messages.showMessage(kFailureTopic, MessageKind::Error,
                           record == nullptr ? message : tr("%1: %2").arg(runTitle(*record), message),
                           {tr("Show the run"), [this, id] { m_selection.setRuns({id}); }});
}

QList<RunId> RunControl::selectedIn(const QList<RunState>& states) const {
    QList<RunId> runs;
    for (const RunId id : m_selection.runs()) {
        const RunRecord* record = m_controller.record(id);
        if (record != nullptr && states.contains(record->state)) {
            runs << id;
        }
    }
    return runs;
}

}  // namespace kvist::ui
