// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "ui/charts/run_groups.h"
#include "ui/charts/standard_charts.h"

namespace kvist::ui {

/// Translated text of a standard chart.
QString chartText(const char* text);

/// Logarithmic where the values span more than `ratio`.
AxisScale scaleFor(double least, double most, double ratio = 3.5);

/// A quality axis that spans more is logarithmic.
inline constexpr double kWideQuality = 30;

double leastY(const ChartSpec& spec);
double mostY(const ChartSpec& spec);

RunList runsOf(const std::vector<RunGroup>& groups);

/// Those of the runs that the user chose; all where nobody did.
RunList chosenOf(const RunList& runs, const ChartInput& input);

/// The curves that a chart draws of those that there are.
struct DrawnGroups {
    std::vector<RunGroup> groups;
    std::size_t all = 0;
};

/// At most kMostCurves groups of the runs; where there are more, of the chosen runs alone.
DrawnGroups groupsToDraw(const RunList& runs, const ChartInput& input, const std::string& metric, AlongCurve along);

/// "12 of 20 curves shown" where there are more than are drawn, otherwise empty.
QString curveLimitNote(std::size_t shown, std::size_t all);

/// Which of its choices a chart shows: the one that was made, where it is still there, otherwise the first.
QString shownChoice(const ChartSpec& spec, const ChartInput& input);

/// A figure of each group over the budget; runs without a budget (the full cache) are lines across. Sets the scale of
/// the x axis.
void drawOverBudget(ChartSpec& spec, const std::vector<RunGroup>& groups, const RunNumber& figure,
                    const RunNumber& error, const RunNote& note);

}  // namespace kvist::ui
