// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/metrics.h"

#include <QFontDatabase>
#include <QFontMetrics>
#include <algorithm>

namespace kvist::ui {

int spacingUnit(const QWidget* widget) {
    return std::max(1, (widget->fontMetrics().height() + 1) / 2);
}

int textWidth(const QWidget* widget, int characters) {
    return widget->fontMetrics().averageCharWidth() * characters;
}

QFont tabularFont(const QFont& base) {
    const QFontMetrics metrics(base);
    const int width = metrics.horizontalAdvance(QLatin1Char('0'));
    for (char digit = '1'; digit <= '9'; ++digit) {
        if (metrics.horizontalAdvance(QLatin1Char(digit)) != width) {
            QFont fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont);
            fixed.setPointSizeF(base.pointSizeF());
            return fixed;
        }
    }
    return base;
}

}  // namespace kvist::ui
