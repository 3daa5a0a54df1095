// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "ui/charts/chart_parts.h"
#include "ui/charts/standard_charts.h"

namespace kvist::ui {

using experiments::RunRecord;

ChartSpec nllChart(const ChartInput& input) {
    ChartSpec spec;
    spec.id = QStringLiteral("nll_vs_position");
    spec.title = chartText("NLL vs position");
    spec.tab = chartText("NLL");
    spec.x = {chartText("Position"), chartText("tokens"), AxisScale::Linear};
    spec.y = {chartText("NLL, mean of a block"), chartText("nats"), AxisScale::Linear};
    spec.emptyText = chartText("The running measurement draws its curve here");

    RunList shown;
    std::size_t count = 0;
    for (auto run = input.runs.rbegin(); run != input.runs.rend(); ++run) {
        const auto curves = input.curves.find((*run)->id);
        if (curves == input.curves.end() || curves->second.count("nll") == 0 ||
            (input.chosen && input.chosen->count((*run)->id) == 0)) {
            continue;
        }
        ++count;
        if (shown.size() < static_cast<std::size_t>(kMostCurves)) {
            shown.push_back(*run);
        }
    }
    std::reverse(shown.begin(), shown.end());
    const QStringList names = namesOf(shown);
    const QStringList common = namesOf(shown, {.budget = true});
    std::map<std::string, int> variants;
    for (std::size_t index = 0; index < shown.size(); ++index) {
        const RunRecord& run = *shown[index];
        const Curve& curve = input.curves.at(run.id).at("nll");
        ChartSeries series{names[static_cast<qsizetype>(index)],
                           SeriesKind::Line,
                           styleOfPolicy(run.config.policy, variants[run.config.policy]++),
                           {}};
        series.group = common[static_cast<qsizetype>(index)];
        series.details = {run.config.budget > 0 ? QString::number(run.config.budget) : QString()};
        for (std::size_t point = 0; point < curve.x.size(); ++point) {
            series.points.push_back({curve.x[point], curve.y[point], kNotMeasured, parametersText(run)});
        }
        spec.series.push_back(std::move(series));
    }
    spec.note = curveLimitNote(shown.size(), count);
    spec.caption = captionOf(shown);
    return spec;
}

}  // namespace kvist::ui
