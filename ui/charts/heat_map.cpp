// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/heat_map.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <set>

namespace kvist::ui {

namespace {

constexpr double kLeastPanelInLines = 11;  ///< width

double placeOf(const std::vector<double>& values, double value) {
    return static_cast<double>(std::lower_bound(values.begin(), values.end(), value) - values.begin());
}

}  // namespace

QRectF HeatMapLayout::cell(const HeatMapPanel& panel, double x, double y) const {
    const double width = panel.grid.width() / static_cast<double>(columns.size());
    const double height = panel.grid.height() / static_cast<double>(rows.size());
    return {panel.grid.left() + placeOf(columns, x) * width, panel.grid.top() + placeOf(rows, y) * height, width,
            height};
}

std::optional<std::pair<int, int>> HeatMapLayout::cellAt(const ChartSpec& spec, const QPointF& position) const {
    for (const HeatMapPanel& panel : panels) {
        const auto& points = spec.series[static_cast<std::size_t>(panel.series)].points;
        for (std::size_t index = 0; index < points.size(); ++index) {
            if (cell(panel, points[index].x, points[index].y).contains(position)) {
                return std::make_pair(panel.series, static_cast<int>(index));
            }
        }
    }
    return std::nullopt;
}

QString rowLabel(double y) {
    return y < 0 ? QCoreApplication::translate("Charts", "any") : QString::number(y);
}

HeatMapLayout layOutHeatMap(const ChartSpec& spec, const QRectF& area, const QFontMetricsF& metrics) {
    HeatMapLayout layout;
    std::set<double> columns;
    std::set<double> rows;
    for (const ChartSeries& series : spec.series) {
        for (const ChartPoint& point : series.points) {
            columns.insert(point.x);
            rows.insert(point.y);
        }
    }
    layout.columns.assign(columns.begin(), columns.end());
    layout.rows.assign(rows.begin(), rows.end());

    const double line = metrics.height();
    const double unit = line / 2;
    layout.yTitle = QRectF(area.left(), area.top(), area.width() / 2, line);
    layout.scale = QRectF(area.center().x(), area.top(), area.width() / 2, line);
    layout.xTitle = QRectF(area.left(), area.bottom() - line, area.width() / 2, line);
    layout.note = QRectF(area.center().x(), area.bottom() - line, area.width() / 2, line);

    double labels = 0;
    for (const double row : layout.rows) {
        labels = std::max(labels, metrics.horizontalAdvance(rowLabel(row)));
    }
    const double left = area.left() + labels + unit;
    const double width = area.right() - left;
    const double top = layout.yTitle.bottom() + unit / 2;
    const double height = layout.xTitle.top() - top;
    const auto count = static_cast<int>(spec.series.size());
    const int across = std::clamp(static_cast<int>(width / (kLeastPanelInLines * line)), 1, std::max(1, count));
    const int down = (count + across - 1) / across;
    const double panelWidth = width / across;
    const double panelHeight = height / down;
    for (int index = 0; index < count; ++index) {
        const double x = left + (index % across) * panelWidth;
        const double y = top + (index / across) * panelHeight;
        HeatMapPanel panel;
        panel.series = index;
        panel.hasRowLabels = index % across == 0;
        panel.title = QRectF(x, y, panelWidth - unit, line);
        // Below the grid a line names the columns.
        panel.grid = QRectF(x, y + line, panelWidth - unit, std::max(1.0, panelHeight - 2 * line - unit));
        layout.panels.push_back(panel);
    }
    return layout;
}

QColor heatColor(double share, const ThemeColors& colors) {
    const auto mixed = [&](int from, int to) { return qRound(from + (to - from) * std::clamp(share, 0.0, 1.0)); };
    return {mixed(colors.grid.red(), colors.accent.red()), mixed(colors.grid.green(), colors.accent.green()),
            mixed(colors.grid.blue(), colors.accent.blue())};
}

QColor inkOn(const QColor& color) {
    const QColor black(Qt::black);
    const QColor white(Qt::white);
    return contrastRatio(black, color) >= contrastRatio(white, color) ? black : white;
}

}  // namespace kvist::ui
