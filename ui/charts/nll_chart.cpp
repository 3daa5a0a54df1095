// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "ui/charts/chart_parts.h"
#include "ui/charts/standard_charts.h"
#include "ui/charts/store_text.h"

namespace kvist::ui {

using experiments::RunRecord;

namespace {

const QString kNll = QStringLiteral("nll");

/// The curve of a run; null where it has none, or is not among the chosen ones.
const Curve* curveOf(const RunRecord& run, const QString& name, const ChartInput& input) {
    const auto curves = input.curves.find(run.id);
    if (curves == input.curves.end() || (input.chosen && input.chosen->count(run.id) == 0)) {
        return nullptr;
    }
    const auto found = curves->second.find(name.toStdString());
    return found == curves->second.end() ? nullptr : &found->second;
}

/// What the runs were compared by, beside their NLL; empty where none was.
std::vector<ChartChoice> choicesIn(const ChartInput& input) {
    std::vector<ChartChoice> choices{{kNll, chartText("NLL")}};
    for (const auto& [name, title] : {std::pair("kl", QT_TRANSLATE_NOOP("Charts", "KL to the full cache")),
                                      std::pair("delta_p_rms", QT_TRANSLATE_NOOP("Charts", "Δp of the right token")),
                                      std::pair("same_top", QT_TRANSLATE_NOOP("Charts", "Same top choice"))}) {
        const QString id = QString::fromLatin1(name);
        if (std::any_of(input.runs.begin(), input.runs.end(),
                        [&](const RunRecord* run) { return curveOf(*run, id, input) != nullptr; })) {
            choices.push_back({id, chartText(title)});
        }
    }
    return choices.size() > 1 ? choices : std::vector<ChartChoice>();
}

ChartAxis axisOf(const QString& curve) {
    if (curve == QLatin1String("kl")) {
        return {chartText("KL to the full cache, mean of a block"), chartText("nats")};
    }
    if (curve == QLatin1String("delta_p_rms")) {
        return {chartText("Δp of the right token, RMS of a block"), {}};
    }
    if (curve == QLatin1String("same_top")) {
        return {chartText("Same top choice, share of a block"), {}};
    }
    return {chartText("NLL, mean of a block"), chartText("nats")};
}

}  // namespace

ChartSpec nllChart(const ChartInput& input) {
    ChartSpec spec;
    spec.id = QStringLiteral("nll_vs_position");
    spec.title = chartText("NLL vs position");
    spec.tab = chartText("NLL");
    spec.x = {chartText("Position"), chartText("tokens"), AxisScale::Linear};
    spec.emptyText = chartText("The running measurement draws its curve here");
    spec.choices = choicesIn(input);
    if (!spec.choices.empty()) {
        spec.chosen = shownChoice(spec, input);
        const auto choice = std::find_if(spec.choices.begin(), spec.choices.end(),
                                         [&](const ChartChoice& one) { return one.id == spec.chosen; });
        spec.title = chartText("%1 vs position").arg(choice->title);
    }
    const QString name = spec.chosen.isEmpty() ? kNll : spec.chosen;
    spec.y = axisOf(name);

    RunList shown;
    std::size_t count = 0;
    for (auto run = input.runs.rbegin(); run != input.runs.rend(); ++run) {
        const bool isReference = name != kNll && (*run)->isBaseline();
        if (curveOf(**run, name, input) == nullptr || isReference) {
            continue;
        }
        ++count;
        if (shown.size() < kMostCurves) {
            shown.push_back(*run);
        }
    }
    std::reverse(shown.begin(), shown.end());
    const QStringList names = namesOf(shown);
    const QStringList common = namesOf(shown, {.budget = true});
    std::map<std::string, int> variants;
    for (std::size_t index = 0; index < shown.size(); ++index) {
        const RunRecord& run = *shown[index];
        const Curve& curve = *curveOf(run, name, input);
        const std::string& policy = leadingPolicy(run.config);
        // A single block makes no line.
        const SeriesKind kind = curve.x.size() > 1 ? SeriesKind::Line : SeriesKind::Measured;
        ChartSeries series{names[static_cast<qsizetype>(index)], kind, styleOfPolicy(policy, variants[policy]++), {}};
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
