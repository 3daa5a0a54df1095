// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_spec.h"

namespace kvist::ui {

/// The shown part of an axis. Always minimum < maximum, and minimum > 0 on a logarithmic axis.
struct AxisRange {
    double minimum = 0;
    double maximum = 1;

    bool operator==(const AxisRange&) const = default;
};

/// The range that holds all finite values of the chart along one axis, with a margin. Values ≤ 0 do not
/// count on a logarithmic axis.
AxisRange rangeOfX(const ChartSpec& spec);
AxisRange rangeOfY(const ChartSpec& spec);

/// Shrinks (factor < 1) or widens the range around a value that keeps its place.
AxisRange zoomed(const AxisRange& range, AxisScale scale, double anchor, double factor);

/// Moves the range by a share of its length.
AxisRange panned(const AxisRange& range, AxisScale scale, double share);

/// Place of a value between minimum (0) and maximum (1), and the value at a place.
double shareOf(const AxisRange& range, AxisScale scale, double value);
double valueAt(const AxisRange& range, AxisScale scale, double share);

}  // namespace kvist::ui
