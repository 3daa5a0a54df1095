// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_parts.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <algorithm>
#include <cmath>

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

RunList chosenOf(const RunList& runs, const ChartInput& input) {
    RunList chosen = runs;
    std::erase_if(chosen, [&](const RunRecord* run) { return input.chosen && input.chosen->count(run->id) == 0; });
    return chosen;
}

DrawnGroups groupsToDraw(const RunList& runs, const ChartInput& input, const std::string& metric, AlongCurve along) {
    DrawnGroups drawn{groupedRuns(runs, metric, along), 0};
    drawn.all = drawn.groups.size();
    if (drawn.all <= kMostCurves) {
        return drawn;
    }
    if (auto groups = groupedRuns(chosenOf(runs, input), metric, along); !groups.empty()) {
        drawn.groups = std::move(groups);
    }
    drawn.groups.resize(std::min(drawn.groups.size(), kMostCurves));
    return drawn;
}

QString curveLimitNote(std::size_t shown, std::size_t all) {
    return shown < all ? chartText("%1 of %2 curves; select runs to choose").arg(shown).arg(all) : QString();
}

QString shownChoice(const ChartSpec& spec, const ChartInput& input) {
    const auto made = input.choices.find(spec.id);
    const bool isThere = made != input.choices.end() &&
                         std::any_of(spec.choices.begin(), spec.choices.end(),
                                     [&](const ChartChoice& choice) { return choice.id == made->second; });
    return isThere ? made->second : spec.choices.front().id;
}

void drawOverBudget(ChartSpec& spec, const std::vector<RunGroup>& groups, const RunNumber& figure,
                    const RunNumber& error, const RunNote& note) {
    const auto isLine = [](const RunGroup& group) { return group.first().config.budget == 0; };
    double least = kNotMeasured;
    double most = kNotMeasured;
    for (const RunGroup& group : groups) {
        if (isLine(group)) {
            continue;
        }
        ChartSeries series{group.name, SeriesKind::Measured, group.style, {}};
        series.points = pointsOf(
            group, [](const RunRecord& run) { return static_cast<double>(run.config.budget); }, figure, error, note);
        least = std::fmin(least, series.points.front().x);
        most = std::fmax(most, series.points.back().x);
        spec.series.push_back(std::move(series));
    }
    spec.x.scale = scaleFor(least, most);
    for (const RunGroup& group : groups) {
        if (!isLine(group)) {
            continue;
        }
        const auto context = static_cast<double>(group.runs.back()->context());
        ChartPoint level = pointsOf(
                               group, [](const RunRecord&) { return 0.0; }, figure, error, note)
                               .front();
        ChartSeries line{group.name, SeriesKind::Line, group.style, {}};
        for (const double x : {std::isfinite(least) ? least : context / 2, std::isfinite(most) ? most : context}) {
            level.x = x;
            line.points.push_back(level);
        }
        spec.series.push_back(std::move(line));
    }
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
