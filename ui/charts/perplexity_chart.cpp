// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>
#include <cmath>

#include "ui/charts/chart_parts.h"
#include "ui/charts/standard_charts.h"

namespace kvist::ui {

using experiments::RunRecord;

namespace {

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
    drawOverBudget(spec, groups, figureNamed("perplexity"), figureNamed("perplexity_stderr"), noteOf);
    spec.y.scale = scaleFor(leastY(spec), mostY(spec), kWideQuality);
    spec.caption = captionOf(runsOf(groups));
    return spec;
}

}  // namespace kvist::ui
