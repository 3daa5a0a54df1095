// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "ui/charts/run_groups.h"

namespace kvist::ui {

/// Translated text of a standard chart.
QString chartText(const char* text);

/// Logarithmic where the values span more than `ratio`.
AxisScale scaleFor(double least, double most, double ratio = 3.5);

double leastY(const ChartSpec& spec);
double mostY(const ChartSpec& spec);

RunList runsOf(const std::vector<RunGroup>& groups);

/// "12 of 20 curves shown" where there are more than are drawn, otherwise empty.
QString curveLimitNote(std::size_t shown, std::size_t all);

}  // namespace kvist::ui
