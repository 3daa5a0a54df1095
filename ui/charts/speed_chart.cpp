// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "ui/charts/chart_parts.h"
#include "ui/charts/standard_charts.h"

namespace kvist::ui {

using experiments::RunRecord;

namespace {

const char* const kMedian = "decode_tok_s_median";
const char* const kRoofline = "roofline_tok_s";

double depthOf(const RunRecord& run) {
    return static_cast<double>(run.config.depth);
}

QString noteOf(const RunRecord& run, const RunList& runs) {
    QStringList lines;
    lines << chartText("perplexity beside it: %1").arg(perplexityText(qualityBeside(run, runs)));
    const double limit = run.metric(kRoofline);
    if (std::isfinite(limit)) {
        lines << chartText("roofline: %1 tok/s (%2 % reached)")
                     .arg(QString::number(limit, 'f', 1), QString::number(100 * run.metric(kMedian) / limit, 'f', 0));
    }
    const double p90 = run.metric("decode_ms_p90");
    if (std::isfinite(p90)) {
        lines << chartText("90 % of steps within %1 ms").arg(QString::number(p90, 'f', 1));
    }
    return lines.join(QLatin1Char('\n'));
}

}  // namespace

ChartSpec speedChart(const ChartInput& input) {
    ChartSpec spec;
    spec.id = QStringLiteral("speed_vs_context");
    spec.title = chartText("Decode speed vs context");
    spec.tab = chartText("Speed");
    spec.x = {chartText("Context"), chartText("tokens seen"), AxisScale::Linear};
    spec.y = {chartText("Decode speed, median"), chartText("tok/s"), AxisScale::Linear, AxisFormat::Plain, true};
    spec.errorMeaning = chartText("± standard deviation of the steps");
    spec.emptyText = chartText("Each finished speed run adds a point");

    const auto [groups, all] = groupsToDraw(input.runs, input, kMedian, {.context = true});
    double least = kNotMeasured;
    double most = kNotMeasured;
    for (const RunGroup& group : groups) {
        const RunRecord* quality = qualityBeside(group.first(), input.runs);
        const QString beside = quality == nullptr
                                   ? chartText("no PPL")
                                   : chartText("PPL %1").arg(QString::number(quality->metric("perplexity"), 'f', 2));
        ChartSeries series{QStringLiteral("%1 · %2").arg(group.name, beside), SeriesKind::Measured, group.style, {}};
        series.group = group.common;
        series.details = {group.budget, beside};
        series.points = pointsOf(group, depthOf, figureNamed(kMedian), figureNamed("decode_tok_s_sd"),
                                 [&](const RunRecord& run) { return noteOf(run, input.runs); });
        least = std::fmin(least, series.points.front().x);
        most = std::fmax(most, series.points.back().x);
        spec.series.push_back(std::move(series));
    }
    spec.note = curveLimitNote(groups.size(), all);
    for (const RunGroup& group : groups) {
        RunGroup limited = group;
        std::erase_if(limited.runs, [](const RunRecord* run) { return !std::isfinite(run->metric(kRoofline)); });
        if (!group.style.isBaseline || limited.runs.empty()) {
            continue;
        }
        ChartSeries line{chartText("roofline, full cache"), SeriesKind::Roofline, group.style, {}};
        line.points = pointsOf(limited, depthOf, figureNamed(kRoofline), figureNamed({}), [](const RunRecord&) {
            return chartText("limit by read bandwidth and arithmetic, measured in the same run");
        });
        spec.series.push_back(std::move(line));
    }
    spec.x.scale = scaleFor(least, most);
    spec.caption = captionOf(runsOf(groups));
    return spec;
}

}  // namespace kvist::ui
