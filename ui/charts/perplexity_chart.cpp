// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "ui/charts/chart_parts.h"
#include "ui/charts/standard_charts.h"

namespace kvist::ui {

using experiments::RunRecord;

namespace {

constexpr double kLogarithmicRatio = 30;

QString noteOf(const RunRecord& run) {
    QStringList lines;
    const QString parameters = parametersText(run);
    if (!parameters.isEmpty()) {
        lines << parameters;
    }
    const double delta = run.metric("delta_nll");
    if (std::isfinite(delta) && !run.isBaseline()) {
        lines << chartText("ΔNLL to full cache: %1 ± %2")
                     .arg(QString::number(delta, 'f', 4), QString::number(run.metric("delta_nll_stderr"), 'f', 4));
    }
    lines << chartText("%1 tokens scored after %2").arg(run.config.score).arg(run.config.warm);
    return lines.join(QLatin1Char('\n'));
}

/// A level to compare with: the full cache, in full precision or in a store.
bool isWithoutBudget(const RunGroup& group) {
    return group.first().config.budget == 0;
}

}  // namespace

ChartSpec perplexityChart(const ChartInput& input) {
    ChartSpec spec;
    spec.id = QStringLiteral("perplexity_vs_budget");
    spec.title = chartText("Perplexity vs budget");
    spec.tab = chartText("Perplexity");
    spec.x = {chartText("Budget"), chartText("entries per head"), AxisScale::Linear};
    spec.y = {chartText("Perplexity"), QString()};
    spec.errorMeaning = chartText("± standard error");
    spec.emptyText = chartText("Each finished perplexity run adds a point");

    const auto groups = groupedRuns(input.runs, "perplexity", {.budget = true});
    double least = kNotMeasured;
    double most = kNotMeasured;
    for (const RunGroup& group : groups) {
        if (isWithoutBudget(group)) {
            continue;
        }
        ChartSeries series{group.name, SeriesKind::Measured, group.style, {}};
        series.points = pointsOf(
            group, [](const RunRecord& run) { return static_cast<double>(run.config.budget); }, "perplexity",
            "perplexity_stderr", noteOf);
        least = std::fmin(least, series.points.front().x);
        most = std::fmax(most, series.points.back().x);
        spec.series.push_back(std::move(series));
    }
    spec.x.scale = scaleFor(least, most);
    for (const RunGroup& group : groups) {
        if (!isWithoutBudget(group)) {
            continue;
        }
        const RunRecord& run = *group.runs.back();
        const double context = static_cast<double>(run.context());
        ChartSeries line{group.name, SeriesKind::Line, group.style, {}};
        for (const double x : {std::isfinite(least) ? least : context / 2, std::isfinite(most) ? most : context}) {
            line.points.push_back({x, run.metric("perplexity"), run.metric("perplexity_stderr"), noteOf(run)});
        }
        spec.series.push_back(std::move(line));
    }
    spec.y.scale = scaleFor(leastY(spec), mostY(spec), kLogarithmicRatio);
    spec.caption = captionOf(runsOf(groups));
    return spec;
}

}  // namespace kvist::ui
