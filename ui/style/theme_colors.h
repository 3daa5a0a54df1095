// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPalette>

namespace kvist::ui {

/// The roles of one theme. The application's palette is made from these and is the only place that says
/// which theme is shown, so widgets follow QEvent::PaletteChange and nothing else.
struct ThemeColors {
    QColor window;
    QColor base;
    QColor text;
    QColor muted;
    QColor border;
    QColor grid;
    QColor accent;
    QColor accentText;  ///< on the accent colour
    QColor selection;   ///< selected rows; text and marks keep their colours on it
    QColor warning;
    QColor error;
    bool isDark = false;
};

const ThemeColors& lightColors();
const ThemeColors& darkColors();

/// The colours behind the application's current palette.
const ThemeColors& currentColors();

QPalette paletteFor(const ThemeColors& colors);

/// Contrast ratio of two opaque colours after WCAG 2, 1 to 21.
double contrastRatio(const QColor& a, const QColor& b);

}  // namespace kvist::ui
