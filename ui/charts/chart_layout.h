// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFontMetricsF>
#include <QRectF>
#include <vector>

#include "ui/charts/axis_ticks.h"

namespace kvist::ui {

/// A name with its place: beside the last point of its curve, or in the legend, where one entry may stand for
/// all curves of a group, and the last one for all that find no room.
struct SeriesLabel {
    std::vector<int> series;
    QString text;
    QRectF area;
    bool isEndLabel = false;
    bool hasSwatch = true;
};

/// Where everything of a chart goes: no label is cut off and none lies on another.
struct ChartLayout {
    QRectF plot;
    AxisTicks xTicks;
    AxisTicks yTicks;
    std::vector<SeriesLabel> labels;  ///< empty for a chart with one nameless series
    QRectF xTitle;
    QRectF yTitle;
    QRectF note;  ///< error meaning and note, beside the title of the x axis or below it
    QString noteText;
};

/// Lays a chart out in `area`. Series are named at their right end where all names find room there,
/// otherwise in a legend on top, which is shortened to one entry per group where it would take more than two lines, and
/// ends where it would take the plot's room.
ChartLayout layOutChart(const ChartSpec& spec, const AxisRange& x, const AxisRange& y, const QRectF& area,
                        const QFontMetricsF& metrics);

}  // namespace kvist::ui
