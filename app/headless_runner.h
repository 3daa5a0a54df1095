// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <string>

#include "app/command_line.h"
#include "app/progress_line.h"
#include "experiments/sweep_controller.h"

namespace kvist::app {

/// Runs one sweep file without a window: plan, queue, results, table, CSV and charts. Runs that the store
/// holds already are not repeated, so the same command takes up what was stopped.
class HeadlessRunner : public QObject {
    Q_OBJECT

public:
    /// `line.charts` and `line.report` need a QApplication (the offscreen platform will do), the rest a
    /// QCoreApplication.
    HeadlessRunner(const CommandLine& line, experiments::ControllerOptions options);

    /// Runs the event loop until the sweep has ended; returns the exit code.
    int run();

private:
    void startPlan(const experiments::SweepPlan& plan);
    void showProgress(const experiments::RunProgress& progress);
    void reportRun(experiments::RunId id, const std::string& outcome);
    void stop(int signal);
    void conclude(const experiments::SweepSummary& summary);
    /// False, with the reason printed, where a file could not be written.
    bool writeOutputs(const std::vector<experiments::RunRecord>& records);
    void fail(const QString& message, int code);

    CommandLine m_line;
    experiments::Sweep m_sweep;
    experiments::SweepController m_controller;
    ProgressLine m_progress;
    int m_signal = 0;
    bool m_isStarted = false;
    int m_writeError = 0;  ///< exit code where the store refused a result
};

}  // namespace kvist::app
