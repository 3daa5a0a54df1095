// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_look.h"

#include <QFontMetricsF>

namespace kvist::ui {

qreal ChartLook::unit() const {
    return QFontMetricsF(font).height() / 2;
}

}  // namespace kvist::ui
