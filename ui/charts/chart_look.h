// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>

#include "ui/style/theme_colors.h"

namespace kvist::ui {

/// How a chart is drawn, apart from what it shows. All lengths follow the font.
struct ChartLook {
    ThemeColors colors;
    QFont font;

    qreal unit() const;  ///< half a line
    qreal lineWidth() const { return unit() / 4.5; }
    qreal markerSize() const { return unit() * 0.95; }
};

}  // namespace kvist::ui
