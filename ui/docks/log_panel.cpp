// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/docks/log_panel.h"

#include <QTime>

#include "ui/charts/run_groups.h"
#include "ui/style/metrics.h"

namespace kvist::ui {

using experiments::RunId;
using experiments::SweepController;

namespace {

constexpr int kMostLines = 5000;

}  // namespace

LogPanel::LogPanel(SweepController& controller, QWidget* parent) : QPlainTextEdit(parent), m_controller(controller) {
    setReadOnly(true);
    setMaximumBlockCount(kMostLines);
    setAccessibleName(tr("Log"));
    setFrameShape(QFrame::NoFrame);
    setFont(tabularFont(font()));
    connect(&controller, &SweepController::storeOpened, this,
            [this](const QString& path) { addLine(tr("Opened results %1").arg(path)); });
    connect(&controller, &SweepController::storeRefused, this,
            [this](const QString&, const QString& message) { addLine(message); });
    connect(&controller, &SweepController::storeFailed, this, &LogPanel::addLine);
    connect(&controller, &SweepController::runsQueued, this,
            [this](const QList<RunId>& ids) { addLine(tr("Queued runs: %1").arg(ids.size())); });
    connect(&controller, &SweepController::runStarted, this,
            [this](RunId id) { addLine(tr("Started: %1").arg(nameOf(id))); });
    connect(&controller, &SweepController::runFinished, this,
            [this](RunId id) { addLine(tr("Finished: %1").arg(nameOf(id))); });
    connect(&controller, &SweepController::runFailed, this, [this](RunId id, ErrorKind, const QString& message) {
        addLine(tr("Failed: %1: %2").arg(nameOf(id), message));
    });
    connect(&controller, &SweepController::runCancelled, this,
            [this](RunId id) { addLine(tr("Cancelled: %1").arg(nameOf(id))); });
    connect(&controller, &SweepController::runInterrupted, this,
            [this](RunId id) { addLine(tr("Interrupted: %1").arg(nameOf(id))); });
    connect(&controller, &SweepController::sweepFinished, this, [this](const experiments::SweepSummary& summary) {
        addLine(tr("Sweep ended: %1 finished, %2 failed, %3 cancelled, %4 interrupted")
                    .arg(summary.finished)
                    .arg(summary.failed)
                    .arg(summary.cancelled)
                    .arg(summary.interrupted));
    });
}

void LogPanel::addLine(const QString& text) {
    appendPlainText(QTime::currentTime().toString(QStringLiteral("HH:mm:ss  ")) + text);
}

QString LogPanel::nameOf(RunId id) const {
    const experiments::RunRecord* record = m_controller.record(id);
    return record == nullptr ? QString::number(id) : runTitle(*record);
}

}  // namespace kvist::ui
