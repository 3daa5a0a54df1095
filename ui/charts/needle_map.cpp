// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "engine/api/evaluation_catalog.h"
#include "experiments/number_text.h"
#include "ui/charts/chart_parts.h"
#include "ui/charts/standard_charts.h"

namespace kvist::ui {

using experiments::RunRecord;

namespace {

constexpr std::size_t kMostPanels = 6;
const char* const kAccuracy = "retrieval_accuracy";

QString number(double value) {
    return QString::fromStdString(experiments::numberText(value, 3));
}

double parameterOf(const RunRecord& run, const std::string& name) {
    const auto value = evaluationParameter(run.config, name);
    if (!value) {
        return kNotMeasured;
    }
    const auto* whole = std::get_if<std::int64_t>(&*value);
    const auto* real = std::get_if<double>(&*value);
    return whole != nullptr ? static_cast<double>(*whole) : real != nullptr ? *real : kNotMeasured;
}

/// One cell for each length and depth; runs of the same cell (repeats) become their mean.
std::vector<ChartPoint> cellsOf(const RunGroup& group) {
    std::map<std::pair<double, double>, RunList> byPlace;
    for (const RunRecord* run : group.runs) {
        byPlace[{parameterOf(*run, "length"), parameterOf(*run, "depth")}].push_back(run);
    }
    std::vector<ChartPoint> cells;
    for (const auto& [place, runs] : byPlace) {
        ChartPoint cell{place.first, place.second, kNotMeasured, {}, 0};
        for (const RunRecord* run : runs) {
            cell.value += run->metric(kAccuracy) / static_cast<double>(runs.size());
        }
        cell.note = runs.size() > 1 ? chartText("mean of %1 repeats").arg(runs.size())
                                    : chartText("95 % interval: %1 to %2")
                                          .arg(number(runs.front()->metric("retrieval_accuracy_low")),
                                               number(runs.front()->metric("retrieval_accuracy_high")));
        cells.push_back(cell);
    }
    return cells;
}

/// Runs of one policy in panels: by budget, or by its share of the length where each length has a budget of its own.
std::map<double, RunGroup> panelsOf(const RunGroup& policy) {
    std::map<std::int64_t, std::set<double>> lengths;
    for (const RunRecord* run : policy.runs) {
        lengths[run->config.budget].insert(parameterOf(*run, "length"));
    }
    const bool isShare = lengths.size() > 1 && std::all_of(lengths.begin(), lengths.end(),
                                                           [](const auto& one) { return one.second.size() == 1; });
    std::map<double, RunGroup> panels;
    for (const RunRecord* run : policy.runs) {
        const auto budget = static_cast<double>(run->config.budget);
        const double key = isShare ? std::round(100 * budget / parameterOf(*run, "length")) : budget;
        RunGroup& panel = panels[key];
        panel.runs.push_back(run);
        panel.style = policy.style;
        panel.name = policy.name + (budget == 0 ? QString()
                                    : isShare   ? QStringLiteral(" %1 %").arg(key)
                                                : QStringLiteral(" %1").arg(key));
    }
    return panels;
}

std::vector<RunGroup> policiesOf(const RunList& runs) {
    return groupedRuns(runs, kAccuracy, {.budget = true, .context = true, .place = true});
}

std::vector<ChartSeries> mapsOf(const std::vector<RunGroup>& policies) {
    std::vector<ChartSeries> maps;
    for (const RunGroup& policy : policies) {
        for (const auto& [budget, panel] : panelsOf(policy)) {
            maps.push_back({panel.name, SeriesKind::Cells, panel.style, cellsOf(panel)});
        }
    }
    return maps;
}

}  // namespace

ChartSpec needleMap(const ChartInput& input) {
    ChartSpec spec;
    spec.id = QStringLiteral("needle_map");
    spec.title = chartText("Retrieval by depth and length");
    spec.tab = chartText("Needle map");
    spec.x = {chartText("Length"), chartText("tokens")};
    spec.y = {chartText("Depth of what is asked for"), QStringLiteral("%")};
    spec.value = {chartText("Given back"), QStringLiteral("%")};
    spec.emptyText = chartText("Each finished retrieval run adds a cell");
    auto policies = policiesOf(input.runs);
    spec.series = mapsOf(policies);
    const std::size_t all = spec.series.size();
    if (all > kMostPanels) {
        auto chosen = policiesOf(chosenOf(input.runs, input));
        if (!chosen.empty()) {
            policies = std::move(chosen);
            spec.series = mapsOf(policies);
        }
        spec.series.resize(std::min(spec.series.size(), kMostPanels));
        spec.note = chartText("%1 of %2 maps; select runs to choose").arg(spec.series.size()).arg(all);
    }
    spec.caption = captionOf(runsOf(policies));
    return spec;
}

}  // namespace kvist::ui
