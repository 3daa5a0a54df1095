// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFontMetricsF>
#include <QRectF>
#include <optional>
#include <vector>

#include "ui/charts/chart_look.h"
#include "ui/charts/chart_spec.h"

namespace kvist::ui {

/// One series of cells with its place.
struct HeatMapPanel {
    int series = 0;
    QRectF title;
    QRectF grid;
    bool hasRowLabels = false;  ///< the first panel of a line names the rows for all of it
};

/// Where everything of a map goes. All panels share their columns and rows, so that they can be compared.
struct HeatMapLayout {
    std::vector<double> columns;  ///< x values, ascending from the left
    std::vector<double> rows;     ///< y values, ascending from the top
    std::vector<HeatMapPanel> panels;
    QRectF scale;  ///< the colours with their ends
    QRectF xTitle;
    QRectF yTitle;
    QRectF note;

    QRectF cell(const HeatMapPanel& panel, double x, double y) const;
    /// The measured cell at a position: series and point.
    std::optional<std::pair<int, int>> cellAt(const ChartSpec& spec, const QPointF& position) const;
};

/// Panels stand beside each other as long as each is wide enough for its names, then below.
HeatMapLayout layOutHeatMap(const ChartSpec& spec, const QRectF& area, const QFontMetricsF& metrics);

/// "25 %", or "any" below 0.
QString rowLabel(double y);

/// From the colour of the grid (0) to the accent colour (1); and black or white, whichever is legible on it.
QColor heatColor(double share, const ThemeColors& colors);
QColor inkOn(const QColor& color);

}  // namespace kvist::ui
