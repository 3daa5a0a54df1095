// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/plot_segments.h"

#include <algorithm>
#include <cmath>

namespace kvist::ui {

namespace {

bool canShow(double value, const ChartAxis& axis) {
    return std::isfinite(value) && (axis.scale == AxisScale::Linear || value > 0);
}

}  // namespace

std::vector<QList<QPointF>> segmentsOf(const ChartSeries& series, const ChartAxis& x, const ChartAxis& y) {
    std::vector<QList<QPointF>> segments;
    bool isOpen = false;
    for (const ChartPoint& point : series.points) {
        if (!canShow(point.x, x) || !canShow(point.y, y)) {
            isOpen = false;
            continue;
        }
        if (!isOpen) {
            segments.emplace_back();
            isOpen = true;
        }
        segments.back().append(QPointF(point.x, point.y));
    }
    return segments;
}

QList<QPointF> decimated(const QList<QPointF>& points, int columns) {
    constexpr int kPointsPerColumn = 4;
    if (columns < 1 || points.size() <= static_cast<qsizetype>(columns) * kPointsPerColumn) {
        return points;
    }
    const double left = points.front().x();
    const double width = (points.back().x() - left) / columns;
    QList<QPointF> kept;
    qsizetype begin = 0;
    while (begin < points.size()) {
        const double column = std::floor((points[begin].x() - left) / width);
        qsizetype end = begin + 1;
        while (end < points.size() && std::floor((points[end].x() - left) / width) == column) {
            ++end;
        }
        const auto [low, high] = std::minmax_element(points.begin() + begin, points.begin() + end,
                                                     [](const QPointF& a, const QPointF& b) { return a.y() < b.y(); });
        qsizetype chosen[kPointsPerColumn] = {begin, low - points.begin(), high - points.begin(), end - 1};
        std::sort(std::begin(chosen), std::end(chosen));
        const auto* last = std::unique(std::begin(chosen), std::end(chosen));
        for (const auto* index = std::begin(chosen); index != last; ++index) {
            kept.append(points[*index]);
        }
        begin = end;
    }
    return kept;
}

}  // namespace kvist::ui
