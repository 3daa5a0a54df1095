// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QPointF>

#include "ui/charts/chart_spec.h"

namespace kvist::ui {

/// The stretches of a curve between its gaps (NaN, infinity, or ≤ 0 on a logarithmic axis), each with at
/// least one point. Qt Charts cannot leave a gap in a line.
std::vector<QList<QPointF>> segmentsOf(const ChartSeries& series, const ChartAxis& x, const ChartAxis& y);

/// At most the first, lowest, highest and last point of each of `columns` columns of equal width: what a
/// line of that many pixels can show. Short stretches come back as they are.
QList<QPointF> decimated(const QList<QPointF>& points, int columns);

}  // namespace kvist::ui
