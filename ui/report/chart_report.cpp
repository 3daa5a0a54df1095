// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/chart_report.h"

#include <QCoreApplication>
#include <QDir>
#include <QSaveFile>

#include "experiments/file_text.h"
#include "ui/charts/chart_export.h"
#include "ui/charts/standard_charts.h"
#include "ui/report/html_report.h"

namespace kvist::ui {

using experiments::Refusal;
using experiments::Result;

namespace {

std::vector<ChartSpec> chartsOf(const std::vector<experiments::RunRecord>& records, const DetailsReader& details) {
    ChartInput input;
    for (const experiments::RunRecord& record : records) {
        input.runs.push_back(&record);
        if (record.state == experiments::RunState::Finished) {
            input.curves[record.id] = details(record.id).curves;
        }
    }
    return standardCharts(input);
}

}  // namespace

Result<int> writeChartPictures(const std::vector<experiments::RunRecord>& records, const DetailsReader& details,
                               const QString& folder, int scale) {
    if (!QDir().mkpath(folder)) {
        return Refusal{{},
                       QCoreApplication::translate("Charts", "cannot make the folder %1").arg(folder).toStdString()};
    }
    int written = 0;
    for (const ChartSpec& spec : chartsOf(records, details)) {
        if (spec.isEmpty()) {
            continue;
        }
        QSaveFile file(QDir(folder).filePath(spec.fileName() + QStringLiteral(".png")));
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

Result<std::string> writeHtmlReport(const std::vector<experiments::RunRecord>& records, const DetailsReader& details,
                                    const QString& path) {
    return experiments::writeFile(path.toStdString(), htmlReport(records, chartsOf(records, details)).toStdString());
}

}  // namespace kvist::ui
