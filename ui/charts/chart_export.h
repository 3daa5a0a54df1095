// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QImage>

#include "ui/charts/chart_spec.h"

namespace kvist::ui {

/// The chart as a picture in the light theme, with title, model, text, date and settings. Builds its own
/// plot that is never shown; needs a QApplication (the offscreen platform will do). `scale` is 1, 2 or 4
/// pixels per unit.
QImage chartImage(const ChartSpec& spec, int scale);

/// The same as an SVG document, for print.
QByteArray chartSvg(const ChartSpec& spec);

/// What the chart shows, as CSV (RFC 4180, C locale, full precision): one row per point with the names of
/// series and axes.
QByteArray chartCsv(const ChartSpec& spec);

}  // namespace kvist::ui
