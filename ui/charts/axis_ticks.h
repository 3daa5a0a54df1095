// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "ui/charts/axis_range.h"

namespace kvist::ui {

struct AxisTick {
    double value = 0;
    QString label;
};

/// Ticks of one axis with the unit that their labels are written in.
struct AxisTicks {
    std::vector<AxisTick> ticks;
    QString unit;  ///< the axis's own, or KiB, MiB … for bytes

    /// "Context (tokens)"
    QString titled(const QString& title) const;
};

/// Three to `most` (at least 3) ticks at round values inside the range: powers of two on a logarithmic axis that spans
/// enough of them, powers of ten where it reaches far below 1, else 1, 2 or 5 times a power of ten (in the shown unit).
AxisTicks ticksFor(const ChartAxis& axis, const AxisRange& range, int most = 6);

/// One value as text with its unit, exact enough to be copied ("12.4 MiB (13 002 752 B)" is not: it says
/// "12.4 MiB"); `digits` are significant figures.
QString formatValue(const ChartAxis& axis, double value, int digits = 6);

}  // namespace kvist::ui
