// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_parts.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <cmath>

#include "ui/charts/standard_charts.h"

namespace kvist::ui {

using experiments::RunRecord;

QString chartText(const char* text) {
    return QCoreApplication::translate("Charts", text);
}

AxisScale scaleFor(double least, double most, double ratio) {
    return least > 0 && most / least > ratio ? AxisScale::Logarithmic : AxisScale::Linear;
}

double leastY(const ChartSpec& spec) {
    double least = kNotMeasured;
    for (const ChartSeries& series : spec.series) {
        for (const ChartPoint& point : series.points) {
            least = std::fmin(least, point.y);
        }
    }
    return least;
}

double mostY(const ChartSpec& spec) {
    double most = kNotMeasured;
    for (const ChartSeries& series : spec.series) {
        for (const ChartPoint& point : series.points) {
            most = std::fmax(most, point.y);
        }
    }
    return most;
}

RunList runsOf(const std::vector<RunGroup>& groups) {
    RunList runs;
    for (const RunGroup& group : groups) {
        runs.insert(runs.end(), group.runs.begin(), group.runs.end());
    }
    return runs;
}

QString curveLimitNote(std::size_t shown, std::size_t all) {
    return shown < all ? chartText("%1 of %2 curves; select runs to choose").arg(shown).arg(all) : QString();
}

QStringList captionOf(const RunList& runs) {
    QStringList models;
    QStringList texts;
    QStringList settings;
    QStringList machines;
    std::string firstDate;
    std::string lastDate;
    const auto add = [](QStringList& list, const QString& text) {
        if (!text.isEmpty() && !list.contains(text)) {
            list << text;
        }
    };
    for (const RunRecord* run : runs) {
        const RunConfig& config = run->config;
        add(models, QStringLiteral("%1 (%2, %3)")
                        .arg(QString::fromStdString(run->modelName), QString::fromStdString(run->dtype),
                             QString::fromStdString(run->device)));
        add(texts, QFileInfo(QString::fromStdString(config.text.file)).fileName());
        add(settings,
            config.score == 0
                ? chartText("chunk %1").arg(config.chunk)
                : chartText("warm %1 + score %2, chunk %3").arg(config.warm).arg(config.score).arg(config.chunk));
        add(machines, chartText("%1, %2 threads").arg(QString::fromStdString(run->machine)).arg(run->threads));
        const std::string date = run->startedAt.substr(0, 10);
        if (!date.empty()) {
            firstDate = firstDate.empty() ? date : std::min(firstDate, date);
            lastDate = std::max(lastDate, date);
        }
    }
    QStringList caption;
    for (const QStringList& part : {models, texts, settings, machines}) {
        if (!part.isEmpty()) {
            caption << part.join(QStringLiteral(", "));
        }
    }
    if (!firstDate.empty()) {
        caption << QString::fromStdString(firstDate == lastDate ? firstDate : firstDate + " – " + lastDate);
    }
    return caption;
}

}  // namespace kvist::ui
