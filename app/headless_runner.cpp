// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/headless_runner.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <iostream>

#include "app/exit_code.h"
#include "app/output_check.h"
#include "app/result_table.h"
#include "app/stop_signals.h"
#include "experiments/csv_writer.h"
#include "experiments/number_text.h"
#include "experiments/sweep_file.h"
#include "ui/report/chart_report.h"

namespace kvist::app {
namespace {

using experiments::RunId;
using experiments::RunRecord;
using experiments::RunState;
using experiments::SweepController;

/// "perplexity 54.0, 12.3 tok/s": what a finished run came to.
std::string outcomeOf(const RunRecord& record) {
    struct Figure {
        const char* metric;
        int digits;
        const char* before;
        const char* after;
    };
    std::string text;
    for (const auto& [metric, digits, before, after] : {Figure{"perplexity", 5, "perplexity ", ""},
                                                        {"retrieval_accuracy", 3, "recalled ", ""},
                                                        {"drift_equal_share", 3, "equal tokens ", ""},
                                                        {"decode_tok_s_median", 4, "", " tok/s"}}) {
        const double value = record.metric(metric);
        if (std::isfinite(value)) {
            text.append(text.empty() ? "" : ", ").append(before);
            text.append(experiments::numberText(value, digits)).append(after);
        }
    }
    return text;
}

}  // namespace

HeadlessRunner::HeadlessRunner(const CommandLine& line, experiments::ControllerOptions options)
    : m_line(line), m_controller(std::move(options)) {
    connect(&m_controller, &SweepController::storeOpened, this, [this] { m_controller.planSweep(m_sweep); });
    connect(&m_controller, &SweepController::storeRefused, this,
            [this](const QString&, const QString& message) { fail(message, kWrongUse); });
    connect(&m_controller, &SweepController::storeFailed, this, [this](const QString& message) {
        m_progress.print("kvist: " + message.toStdString());
        m_writeError = kSomeFailed;
        m_controller.interrupt();
    });
    connect(&m_controller, &SweepController::planned, this, &HeadlessRunner::startPlan);
    connect(&m_controller, &SweepController::planRefused, this,
            [this](quint64, const QString& key, const QString& message) {
                fail(QString::fromStdString(m_line.subject) + (key.isEmpty() ? QString() : ": " + key) + ": " + message,
                     kWrongUse);
            });
    connect(&m_controller, &SweepController::runProgressed, this, &HeadlessRunner::showProgress);
    connect(&m_controller, &SweepController::runFinished, this,
            [this](RunId id) { reportRun(id, outcomeOf(*m_controller.record(id))); });
    connect(&m_controller, &SweepController::runFailed, this,
            [this](RunId id, ErrorKind, const QString& message) { reportRun(id, "failed: " + message.toStdString()); });
    connect(&m_controller, &SweepController::sweepFinished, this, &HeadlessRunner::conclude);
}

int HeadlessRunner::run() {
    const auto sweep = experiments::readSweepFile(m_line.subject);
    if (!sweep) {
        std::cerr << "kvist: " << sweep.refusal().message << '\n';
        return kWrongUse;
    }
    m_sweep = *sweep;
    checkOutputFile("--csv", m_line.csv);
    checkOutputFile("--report", m_line.report);
    makeOutputFolder("--charts", m_line.charts);
    if (!m_line.model.empty()) {
        m_sweep.models = {m_line.model};
    }
    StopSignals signals;
    connect(&signals, &StopSignals::stopRequested, this, &HeadlessRunner::stop);
    m_controller.openStore(QString::fromStdString(m_line.store));
    return QCoreApplication::exec();
}

void HeadlessRunner::startPlan(const experiments::SweepPlan& plan) {
    if (m_isStarted || m_signal != 0) {
        return;
    }
    m_isStarted = true;
    m_progress.print(std::to_string(plan.runs.size()) + " runs, " + std::to_string(plan.storedCount()) +
                     " already stored, " + std::to_string(plan.newCount()) + " to measure");
    m_controller.start(plan);
}

void HeadlessRunner::showProgress(const experiments::RunProgress& progress) {
    const RunRecord* record = m_controller.record(progress.id);
    if (record == nullptr) {
        return;
    }
    const experiments::SweepProgress sweep = m_controller.progress();
    std::string text = '[' + std::to_string(sweep.done + 1) + '/' + std::to_string(sweep.total) + "] " +
                       runTitle(*record) + ": " + progressText(progress.phase, progress.done, progress.total);
    if (std::isfinite(sweep.secondsLeft)) {
        text += ", " + std::to_string(std::llround(sweep.secondsLeft)) + " s left";
    }
    m_progress.show(text);
}

void HeadlessRunner::reportRun(RunId id, const std::string& outcome) {
    const experiments::SweepProgress sweep = m_controller.progress();
    m_progress.print('[' + std::to_string(sweep.done) + '/' + std::to_string(sweep.total) + "] " +
                     runTitle(*m_controller.record(id)) + ": " + outcome);
}

void HeadlessRunner::stop(int signal) {
    m_signal = signal;
    if (m_isStarted) {
        m_controller.interrupt();
    } else {
        fail("stopped before the first run", stoppedBy(signal));
    }
}

void HeadlessRunner::conclude(const experiments::SweepSummary& summary) {
    m_progress.clear();
    if (m_writeError != 0) {
        QCoreApplication::exit(m_writeError);
        return;
    }
    if (m_signal != 0 && summary.interrupted > 0) {
        m_progress.print("stopped; " + std::to_string(summary.interrupted) +
                         " runs are left, the same command goes on with them");
        QCoreApplication::exit(stoppedBy(m_signal));
        return;
    }
    std::vector<RunRecord> records;
    for (const RunId id : m_controller.sweepRuns()) {
        records.push_back(*m_controller.record(id));
    }
    std::cout << resultTable(records) << std::flush;
    const bool isWritten = writeOutputs(records);
    const bool areAllFinished = std::all_of(records.begin(), records.end(),
                                            [](const RunRecord& record) { return record.state == RunState::Finished; });
    QCoreApplication::exit(!isWritten ? kWrongUse : areAllFinished ? kAllFinished : kSomeFailed);
}

bool HeadlessRunner::writeOutputs(const std::vector<RunRecord>& records) {
    bool isWritten = true;
    const auto tell = [&](const auto& written) {
        if (!written) {
            m_progress.print("kvist: " + written.refusal().message);
            isWritten = false;
        }
    };
    const auto details = [this](RunId id) { return m_controller.details(id); };
    if (!m_line.csv.empty()) {
        tell(experiments::writeCsvFile(m_line.csv, records));
    }
    if (!m_line.charts.empty()) {
        tell(ui::writeChartPictures(records, details, QString::fromStdString(m_line.charts)));
    }
    if (!m_line.report.empty()) {
        tell(ui::writeHtmlReport(records, details, QString::fromStdString(m_line.report)));
    }
    return isWritten;
}

void HeadlessRunner::fail(const QString& message, int code) {
    m_progress.print("kvist: " + message.toStdString());
    QCoreApplication::exit(code);
}

}  // namespace kvist::app
