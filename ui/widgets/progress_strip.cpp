// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/progress_strip.h"

#include <unistd.h>

#include <QFile>
#include <QHBoxLayout>
#include <chrono>
#include <cmath>

#include "experiments/budget.h"
#include "ui/charts/run_groups.h"
#include "ui/style/metrics.h"
#include "ui/widgets/plan_text.h"
#include "ui/widgets/role_label.h"

namespace kvist::ui {

using experiments::isTimed;
using experiments::RunProgress;
using experiments::RunRecord;
using experiments::SweepController;

namespace {

constexpr std::chrono::milliseconds kInterval{250};
constexpr std::chrono::milliseconds kIntervalWhileTiming{500};
constexpr int kSteps = 1000;
constexpr int kStoreLetters = 36;

QString phaseText(RunPhase phase) {
    switch (phase) {
        case RunPhase::Loading:
            return ProgressStrip::tr("Loading");
        case RunPhase::Calibrating:
            return ProgressStrip::tr("Calibrating");
        case RunPhase::Tokenizing:
            return ProgressStrip::tr("Reading the text");
        case RunPhase::Baseline:
            return ProgressStrip::tr("Predictions of the full cache");
        case RunPhase::Filling:
            return ProgressStrip::tr("Filling the cache");
        case RunPhase::Scoring:
            return ProgressStrip::tr("Scoring");
        case RunPhase::WarmingUp:
            return ProgressStrip::tr("Warming up");
        case RunPhase::Timing:
            break;
    }
    return ProgressStrip::tr("Timing");
}

}  // namespace

qint64 residentBytes() {
    QFile file(QStringLiteral("/proc/self/statm"));
    if (!file.open(QIODevice::ReadOnly)) {
        return 0;
    }
    const QList<QByteArray> pages = file.readAll().split(' ');
    return pages.size() < 2 ? 0 : pages[1].toLongLong() * sysconf(_SC_PAGESIZE);
}

ProgressStrip::ProgressStrip(SweepController& controller, QWidget* parent)
    : QWidget(parent),
      m_controller(controller),
      m_activity(new QLabel(this)),
      m_bar(new QProgressBar(this)),
      m_timeLeft(new QLabel(this)),
      m_memory(new QLabel(this)),
      m_device(new QLabel(this)),
      m_store(makeLabel({}, TextRole::Muted, this)) {
    m_activity->setObjectName(QStringLiteral("activity"));
    m_bar->setRange(0, kSteps);
    m_bar->setAccessibleName(tr("Progress of the sweep"));
    m_bar->setMaximumWidth(textWidth(this, 24));
    m_bar->setTextVisible(false);
    m_memory->setToolTip(tr("Memory of this program now"));
    m_store->setWordWrap(false);
    const int unit = spacingUnit(this);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(unit, 0, unit, 0);
    layout->setSpacing(unit * 2);
    layout->addWidget(m_activity);
    layout->addWidget(m_bar);
    layout->addWidget(m_timeLeft);
    layout->addStretch(1);
    layout->addWidget(m_store);
    layout->addWidget(m_memory);
    layout->addWidget(m_device);
    for (QLabel* label : {m_timeLeft, m_memory}) {
        label->setFont(tabularFont(font()));
    }

    m_timer.setInterval(kInterval);
    connect(&m_timer, &QTimer::timeout, this, &ProgressStrip::refresh);
    m_timer.start();
    connect(&controller, &SweepController::runProgressed, this, [this](const RunProgress& progress) {
        if (isTimed(progress.phase) != isTimed(m_progress.phase)) {
            m_timer.setInterval(isTimed(progress.phase) ? kIntervalWhileTiming : kInterval);
        }
        m_progress = progress;
        m_progress.points.clear();
    });
    connect(&controller, &SweepController::planned, this, [this](const experiments::SweepPlan& plan) {
        m_device->setText(plan.machine.gpus.empty() ? tr("CPU, %n cores", nullptr, plan.machine.cores)
                                                    : QString::fromStdString(plan.machine.gpus.front()));
        m_device->setToolTip(QString::fromStdString(plan.machine.summary()));
    });
    connect(&controller, &SweepController::storeOpened, this, [this](const QString& path) {
        m_store->setText(fontMetrics().elidedText(path, Qt::ElideLeft, textWidth(this, kStoreLetters)));
        m_store->setToolTip(tr("Results are stored in %1").arg(path));
    });
    connect(&controller, &SweepController::stateChanged, this, &ProgressStrip::refresh);
    connect(&controller, &SweepController::sweepFinished, this, [this] {
        m_progress = {};
        m_timer.setInterval(kInterval);
        refresh();
    });
    refresh();
}

void ProgressStrip::refresh() {
    const bool isBusy = m_controller.isRunning();
    m_activity->setText(activity());
    m_bar->setVisible(isBusy);
    m_timeLeft->setVisible(isBusy);
    if (isBusy) {
        const experiments::SweepProgress progress = m_controller.progress();
        m_bar->setValue(static_cast<int>(std::lround(progress.fraction * kSteps)));
        const QString percent = tr("%1 %").arg(std::lround(progress.fraction * 100));
        m_timeLeft->setText(std::isfinite(progress.secondsLeft)
                                ? tr("%1 · %2 left").arg(percent, durationText(progress.secondsLeft))
                                : percent);
    }
    m_memory->setText(QString::fromStdString(experiments::bytesText(residentBytes())));
}

QString ProgressStrip::activity() const {
    const auto current = m_controller.currentRun();
    const auto queued = m_controller.queuedRuns().size();
    if (!current) {
        return m_controller.isPaused() && queued > 0 ? tr("Paused, queued runs: %1").arg(queued) : tr("Ready");
    }
    const experiments::SweepProgress progress = m_controller.progress();
    QString text = tr("%1 %2/%3").arg(phaseText(m_progress.phase)).arg(progress.done + 1).arg(progress.total);
    if (const RunRecord* record = m_controller.record(*current)) {
        text += QStringLiteral(" · ") + runTitle(*record);
    }
    return m_controller.isPaused() ? tr("%1 (pauses afterwards)").arg(text) : text;
}

}  // namespace kvist::ui
