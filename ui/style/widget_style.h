// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProxyStyle>

namespace kvist::ui {

/// Fusion with visible borders in dark colours and flat check boxes.
class WidgetStyle : public QProxyStyle {
    Q_OBJECT
public:
    WidgetStyle();

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget) const override;
};

}  // namespace kvist::ui
