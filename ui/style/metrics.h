// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QWidget>

namespace kvist::ui {

/// The unit of all spacing: half a line of the widget's font (8 pixels for a 16 pixel line), so that nothing
/// is sized in pixels.
int spacingUnit(const QWidget* widget);

/// Width of `characters` average characters in the widget's font.
int textWidth(const QWidget* widget, int characters);

/// The font with digits of equal width: `base` itself where its digits are equally wide, else the system's
/// fixed font in the same size.
QFont tabularFont(const QFont& base);

}  // namespace kvist::ui
