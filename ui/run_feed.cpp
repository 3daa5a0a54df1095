// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run_feed.h"

#include <QElapsedTimer>
#include <algorithm>
#include <chrono>

namespace kvist::ui {

using experiments::RunId;
using experiments::RunProgress;
using experiments::RunRecord;
using experiments::RunState;
using experiments::SweepController;

namespace {

constexpr std::chrono::milliseconds kInterval{100};
constexpr std::chrono::milliseconds kIntervalWhileTiming{500};
constexpr int kMostReadingMs = 20;

}  // namespace

RunFeed::RunFeed(SweepController& controller, RunTableModel& table, Selection& selection, QObject* parent)
    : QObject(parent), m_controller(controller), m_table(table), m_selection(selection) {
    m_timer.setSingleShot(true);
    m_timer.setInterval(kInterval);
    connect(&m_timer, &QTimer::timeout, this, &RunFeed::deliver);
    connect(&controller, &SweepController::storeOpened, this, &RunFeed::reset);
    connect(&controller, &SweepController::recordsReplaced, this, &RunFeed::reset);
    connect(&controller, &SweepController::runProgressed, this, &RunFeed::addProgress);
    connect(&controller, &SweepController::recordChanged, this, &RunFeed::markChanged);
    connect(&controller, &SweepController::runsQueued, this, [this](const QList<RunId>& ids) {
        for (const RunId id : ids) {
            markChanged(id);
        }
    });
    connect(&controller, &SweepController::runStarted, this, [this](RunId id) {
        m_curves.erase(id);
        m_stored.remove(id);
        setTiming(false);
        markChanged(id);
    });
    connect(&controller, &SweepController::runFinished, this, &RunFeed::markChanged);
    connect(&controller, &SweepController::runFailed, this, [this](RunId id) { markChanged(id); });
    connect(&controller, &SweepController::runCancelled, this, &RunFeed::markChanged);
    connect(&controller, &SweepController::runInterrupted, this, &RunFeed::markChanged);
    connect(&controller, &SweepController::sweepFinished, this, [this] { setTiming(false); });
    connect(&selection, &Selection::changed, &m_timer, qOverload<>(&QTimer::start));
}

ChartInput RunFeed::chartInput() const {
    ChartInput input;
    input.runs = m_table.runs();
    input.curves = m_curves;
    const std::vector<RunId> wanted = wantedCurves();
    input.chosen.emplace(wanted.begin(), wanted.end());
    return input;
}

void RunFeed::reset() {
    m_changed.clear();
    m_curves.clear();
    m_stored.clear();
    m_selection.setRuns({});
    m_table.setRecords(m_controller.records());
    m_timer.start();
}

void RunFeed::addProgress(const RunProgress& progress) {
    setTiming(experiments::isTimed(progress.phase));
    for (const auto& [name, points] : progress.points) {
        Curve& curve = m_curves[progress.id][name];
        curve.x.insert(curve.x.end(), points.x.begin(), points.x.end());
        curve.y.insert(curve.y.end(), points.y.begin(), points.y.end());
    }
    if (!progress.points.empty() && !m_timer.isActive()) {
        m_timer.start();
    }
}

void RunFeed::markChanged(RunId id) {
    m_changed.insert(id);
    if (!m_timer.isActive()) {
        m_timer.start();
    }
}

void RunFeed::setTiming(bool isTiming) {
    if (isTiming != m_isTiming) {
        m_isTiming = isTiming;
        m_timer.setInterval(isTiming ? kIntervalWhileTiming : kInterval);
    }
}

void RunFeed::deliver() {
    QList<RunId> changed(m_changed.begin(), m_changed.end());
    std::sort(changed.begin(), changed.end());
    m_changed.clear();
    for (const RunId id : changed) {
        if (const RunRecord* record = m_controller.record(id)) {
            m_table.putRecord(*record);
        }
    }
    if (!readCurves()) {
        m_timer.start();
    }
    Q_EMIT updated();
}

std::vector<RunId> RunFeed::wantedCurves() const {
    std::vector<RunId> wanted(m_selection.runs().begin(), m_selection.runs().end());
    if (wanted.empty()) {
        const QList<RunId> sweep = m_controller.sweepRuns();
        wanted.assign(sweep.begin(), sweep.end());
    }
    if (wanted.empty()) {
        const auto& records = m_table.records();
        const auto count = std::min<std::size_t>(records.size(), 4 * kMostCurves);
        for (auto record = records.end() - static_cast<std::ptrdiff_t>(count); record != records.end(); ++record) {
            wanted.push_back(record->id);
        }
    }
    if (const auto current = m_controller.currentRun()) {
        wanted.push_back(*current);
    }
    return wanted;
}

bool RunFeed::readCurves() {
    if (m_isTiming) {
        return true;
    }
    QElapsedTimer elapsed;
    elapsed.start();
    for (const RunId id : wantedCurves()) {
        const RunRecord* record = m_table.record(id);
        if (record == nullptr || record->state != RunState::Finished || m_stored.contains(id)) {
            continue;
        }
        if (elapsed.elapsed() > kMostReadingMs) {
            return false;
        }
        m_stored.insert(id);
        m_curves[id] = m_controller.details(id).curves;
    }
    return true;
}

}  // namespace kvist::ui
