// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_spec.h"

#include <algorithm>
#include <cmath>

namespace kvist::ui {

namespace {

bool equalOrBothMissing(double a, double b) {
    return a == b || (std::isnan(a) && std::isnan(b));
}

}  // namespace

bool ChartPoint::operator==(const ChartPoint& other) const {
    return x == other.x && equalOrBothMissing(y, other.y) && equalOrBothMissing(error, other.error) &&
           note == other.note && equalOrBothMissing(value, other.value);
}

bool ChartSpec::isEmpty() const {
    return std::all_of(series.begin(), series.end(), [](const ChartSeries& one) {
        return std::none_of(one.points.begin(), one.points.end(),
                            [](const ChartPoint& point) { return std::isfinite(point.y); });
    });
}

QString ChartSpec::fileName() const {
    const bool saysIt = chosen.isEmpty() || id.startsWith(chosen + QLatin1Char('_'));
    return saysIt ? id : QStringLiteral("%1_%2").arg(id, chosen);
}

bool ChartSpec::isMap() const {
    return !series.empty() && series.front().kind == SeriesKind::Cells;
}

bool ChartSpec::hasErrorBars() const {
    return std::any_of(series.begin(), series.end(), [](const ChartSeries& one) {
        return std::any_of(one.points.begin(), one.points.end(),
                           [](const ChartPoint& point) { return std::isfinite(point.error); });
    });
}

}  // namespace kvist::ui
