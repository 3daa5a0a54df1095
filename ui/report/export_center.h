// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QWidget>
#include <functional>
#include <vector>

#include "experiments/run_record.h"
#include "ui/charts/chart_spec.h"
#include "ui/settings.h"

namespace kvist::ui {

/// Writes charts and tables to files. ask… opens a dialog that asks before overwriting; write… writes at once
/// to a path. Encoding and writing happen in another thread; a signal tells the outcome.
class ExportCenter : public QObject {
    Q_OBJECT
public:
    ExportCenter(Settings& settings, QWidget* window);

    void askPicture(const ChartSpec& spec, int scale);
    void askSvg(const ChartSpec& spec);
    void askChartCsv(const ChartSpec& spec);
    void askAllCharts(const std::vector<ChartSpec>& specs);
    void askTable(const std::vector<experiments::RunRecord>& records);
    void askReport(const std::vector<experiments::RunRecord>& records, const std::vector<ChartSpec>& specs);
    /// The picture at 2× onto the clipboard.
    void copyPicture(const ChartSpec& spec);

    void writePicture(const ChartSpec& spec, int scale, const QString& path);
    void writeSvg(const ChartSpec& spec, const QString& path);
    void writeChartCsv(const ChartSpec& spec, const QString& path);
    /// `<id>.png` at 2× and `<id>.csv` of every chart that shows something.
    void writeAllCharts(const std::vector<ChartSpec>& specs, const QString& folder);
    void writeTable(const std::vector<experiments::RunRecord>& records, const QString& path);
    void writeReport(const std::vector<experiments::RunRecord>& records, const std::vector<ChartSpec>& specs,
                     const QString& path);

Q_SIGNALS:
    void exported(const QString& path);
    void exportRefused(const QString& message);

private:
    void askFile(const QString& title, const QString& name, const QString& filter,
                 const std::function<void(const QString&)>& write);
    /// Runs `write` in a thread of the pool; it returns what went wrong, or nothing.
    void writeInBackground(const QString& path, std::function<QString()> write);

    Settings& m_settings;
    QWidget* m_window;
};

}  // namespace kvist::ui
