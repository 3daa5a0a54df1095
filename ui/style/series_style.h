// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPen>

#include "ui/style/theme_colors.h"

namespace kvist::ui {

/// How one policy looks in every chart, table mark and report: a colour-blind safe colour plus a second
/// cue (marker and dash).
struct SeriesStyle {
    int color = 0;            ///< which policy, in the order of the catalog
    int variant = 0;          ///< which of several curves of that policy
    bool isBaseline = false;  ///< the full cache: muted and dashed

    bool operator==(const SeriesStyle&) const = default;
};

enum class MarkerShape { Circle, Square, Triangle, Diamond };

inline constexpr int kSeriesColorCount = 6;

/// The colour of a series; on a dark base lightened until the contrast is 3:1.
QColor seriesColor(const SeriesStyle& style, const ThemeColors& colors);

MarkerShape seriesMarker(const SeriesStyle& style);

/// Solid for the first six policies, then dashed; further curves of the same policy take further dashes.
Qt::PenStyle seriesDash(const SeriesStyle& style);

/// Pen of a measured curve and of the roofline (dotted, muted).
QPen seriesPen(const SeriesStyle& style, const ThemeColors& colors, qreal width);
QPen rooflinePen(const ThemeColors& colors, qreal width);

}  // namespace kvist::ui
