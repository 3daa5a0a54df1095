// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainter>
#include <QPixmap>
#include <QWidget>
#include <string>

#include "ui/style/series_style.h"

namespace kvist::ui {

/// Draws a marker with the painter's brush and pen.
void paintMarker(QPainter& painter, MarkerShape shape, const QPointF& center, qreal size);

/// Which place a policy has in the series colours; the full cache is the baseline.
SeriesStyle styleOfPolicy(const std::string& policy, int variant = 0);

/// The marker of a policy in its colour, for forms and tables, at the size of the widget's font.
QPixmap policyMark(const std::string& policy, const QWidget* widget);

}  // namespace kvist::ui
