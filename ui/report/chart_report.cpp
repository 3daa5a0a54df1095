// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/chart_report.h"

#include <QCoreApplication>
#include <QDir>
#include <QSaveFile>

#include "ui/charts/chart_export.h"
#include "ui/charts/standard_charts.h"

namespace kvist::ui {

using experiments::Refusal;
using experiments::Result;

Result<int> writeChartPictures(const std::vector<experiments::RunRecord>& records,
                               const std::function<experiments::RunDetails(experiments::RunId)>& details,
                               const QString& folder, int scale) {
    ChartInput input;
    for (const experiments::RunRecord& record : records) {
        input.runs.push_back(&record);
        if (record.state == experiments::RunState::Finished) {
            input.curves[record.id] = details(record.id).curves;
        }
    }
    if (!QDir().mkpath(folder)) {
        return Refusal{{},
                       QCoreApplication::translate("Charts", "cannot make the folder %1").arg(folder).toStdString()};
    }
    int written = 0;
    for (const ChartSpec& spec : standardCharts(input)) {
        if (spec.isEmpty()) {
            continue;
        }
        QSaveFile file(QDir(folder).filePath(spec.id + QStringLiteral(".png")));
        if (!file.open(QIODevice::WriteOnly) || !chartImage(spec, scale).save(&file, "PNG") || !file.commit()) {
            return Refusal{{},
                           QCoreApplication::translate("Charts", "cannot write %1: %2")
                               .arg(file.fileName(), file.errorString())
                               .toStdString()};
        }
        ++written;
    }
    return written;
}

}  // namespace kvist::ui
