// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <set>

#include "engine/api/run_result.h"
#include "ui/charts/chart_spec.h"
#include "ui/charts/run_groups.h"

namespace kvist::ui {

/// What charts are made from: runs (any state; only finished ones count, except for live curves) and their
/// curves as far as they are read.
struct ChartInput {
    RunList runs;
    std::map<experiments::RunId, std::map<std::string, Curve>> curves;
    std::optional<std::set<experiments::RunId>> chosen;  ///< whose NLL is drawn; all where nobody chose
    std::map<QString, QString> choices;                  ///< by chart: which of ChartSpec::choices it shows
};

ChartSpec perplexityChart(const ChartInput& input);  ///< over the budget, with the full cache as a line
ChartSpec memoryChart(const ChartInput& input);      ///< bytes of the cache over the tokens seen
ChartSpec speedChart(const ChartInput& input);       ///< decode tok/s over the depth, with the roofline
ChartSpec nllChart(const ChartInput& input);         ///< block means over the position: NLL, or what diverges
ChartSpec tradeoffChart(const ChartInput& input);    ///< perplexity over the KV memory at its peak
ChartSpec needleMap(const ChartInput& input);        ///< retrieval over depth and length, a map for each budget
ChartSpec figureChart(const ChartInput& input);      ///< any figure that was measured, over the budget

/// All of them, in the order in which the window shows them.
std::vector<ChartSpec> standardCharts(const ChartInput& input);

/// Curves of at most this many runs are drawn; the chart says how many there are.
inline constexpr std::size_t kMostCurves = 12;

/// Model, text, dates and settings of runs, for the caption of a chart.
QStringList captionOf(const RunList& runs);

}  // namespace kvist::ui
