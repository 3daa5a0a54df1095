// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "engine/api/evaluation_catalog.h"
#include "ui/charts/chart_parts.h"
#include "ui/charts/standard_charts.h"

namespace kvist::ui {

using experiments::RunRecord;

namespace {

QString noteOf(const RunRecord& run) {
    const QString budget =
        run.config.budget > 0 ? chartText("budget %1").arg(run.config.budget) : chartText("no budget");
    return run.isCoded() ? budget + QLatin1Char('\n') + chartText("with scales and positions") : budget;
}

const QString kLeft = QStringLiteral("end");

/// Where prompts are held whole and compressed once, all peaks are that of the prompt: what is left says more.
std::vector<ChartChoice> choicesFor(const RunList& runs) {
    const bool isAnyHeld =
        std::any_of(runs.begin(), runs.end(), [](const RunRecord* run) { return holdsPrompt(run->config); });
    return isAnyHeld ? std::vector<ChartChoice>{{kLeft, chartText("Memory at the end")},
                                                {QStringLiteral("peak"), chartText("Memory at its peak")}}
                     : std::vector<ChartChoice>();
}

/// A point for each budget, also where several held as much.
std::vector<ChartPoint> pointsByMemory(const RunGroup& group, const RunNumber& bytes) {
    const auto budget = [](const RunRecord& run) { return static_cast<double>(run.config.budget); };
    auto points = pointsOf(group, budget, figureNamed("perplexity"), figureNamed("perplexity_stderr"), noteOf);
    const auto memory = pointsOf(group, budget, bytes, figureNamed({}), noteOf);
    for (std::size_t index = 0; index < points.size(); ++index) {
        points[index].x = memory[index].y;
    }
    std::stable_sort(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.x < b.x; });
    return points;
}

}  // namespace

ChartSpec tradeoffChart(const ChartInput& input) {
    ChartSpec spec;
    spec.id = QStringLiteral("quality_vs_memory");
    spec.title = chartText("Quality vs memory");
    spec.tab = chartText("Trade-off");
    spec.y = {chartText("Perplexity"), QString(), AxisScale::Linear};
    spec.errorMeaning = chartText("± standard error");
    spec.emptyText = chartText("Each finished perplexity run adds a point");

    RunList measured;
    for (const RunRecord* run : input.runs) {
        if (std::isfinite(run->metric("kv_payload_peak_bytes"))) {
            measured.push_back(run);
        }
    }
    spec.choices = choicesFor(measured);
    spec.chosen = spec.choices.empty() ? QString() : shownChoice(spec, input);
    const bool isLeft = spec.chosen == kLeft;
    spec.x = {isLeft ? chartText("KV payload at the end") : chartText("KV payload at its peak"), QString(),
              AxisScale::Linear, AxisFormat::Bytes};
    const RunNumber bytes = [isLeft](const RunRecord& run) { return isLeft ? run.leftBytes() : run.heldBytes(); };

    const auto groups = groupedRuns(measured, "perplexity", {.budget = true});
    double least = kNotMeasured;
    double most = kNotMeasured;
    for (const RunGroup& group : groups) {
        ChartSeries series{group.name, SeriesKind::Measured, group.style, {}};
        series.points = pointsByMemory(group, bytes);
        least = std::fmin(least, series.points.front().x);
        most = std::fmax(most, series.points.back().x);
        spec.series.push_back(std::move(series));
    }
    spec.x.scale = scaleFor(least, most);
    spec.y.scale = scaleFor(leastY(spec), mostY(spec), kWideQuality);
    spec.caption = captionOf(runsOf(groups));
    return spec;
}

std::vector<ChartSpec> standardCharts(const ChartInput& input) {
    return {perplexityChart(input), memoryChart(input), speedChart(input), nllChart(input),
            tradeoffChart(input),   figureChart(input), needleMap(input)};
}

}  // namespace kvist::ui
