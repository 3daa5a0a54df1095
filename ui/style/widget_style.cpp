// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/widget_style.h"

#include <QPainter>
#include <QStyleOptionComplex>
#include <QStyleOptionFrame>

#include "ui/style/theme_colors.h"

namespace kvist::ui {

namespace {

/// Fusion outlines with the window's colour, darkened; in dark colours that cannot be seen.
QPalette outlined(const QPalette& palette) {
    constexpr int kFusionDarkens = 140;
    QPalette changed = palette;
    const QColor border = palette.color(QPalette::Window).lightnessF() < 0.5 ? QColor("#5A636E") : QColor("#AFB8C1");
    changed.setColor(QPalette::Window, border.lighter(kFusionDarkens));
    return changed;
}

void paintCheckBox(const QStyleOption& option, QPainter& painter) {
    const ThemeColors& colors = currentColors();
    const bool isEnabled = option.state.testFlag(QStyle::State_Enabled);
    const bool isOn = option.state.testFlag(QStyle::State_On);
    const bool hasFocus = option.state.testFlag(QStyle::State_HasFocus);
    const QRectF box = QRectF(option.rect).adjusted(1.5, 1.5, -1.5, -1.5);
    const QColor mark = isEnabled ? colors.accent : colors.muted;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(isOn || hasFocus ? mark : colors.muted, 1));
    painter.setBrush(isOn ? mark : colors.base);
    painter.drawRoundedRect(box, box.width() / 6, box.width() / 6);
    if (isOn) {
        painter.setPen(QPen(colors.accentText, box.width() / 7, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        const auto at = [&box](double x, double y) {
            return QPointF(box.left() + x * box.width(), box.top() + y * box.height());
        };
        painter.drawPolyline(QPolygonF{at(0.22, 0.52), at(0.43, 0.73), at(0.78, 0.28)});
    }
    painter.restore();
}

}  // namespace

WidgetStyle::WidgetStyle() : QProxyStyle(QStringLiteral("Fusion")) {}

void WidgetStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                                const QWidget* widget) const {
    if (element == PE_IndicatorCheckBox) {
        paintCheckBox(*option, *painter);
        return;
    }
    const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
    if (frame != nullptr && (element == PE_FrameLineEdit || element == PE_PanelLineEdit)) {
        QStyleOptionFrame changed(*frame);
        changed.palette = outlined(frame->palette);
        QProxyStyle::drawPrimitive(element, &changed, painter, widget);
        return;
    }
    QProxyStyle::drawPrimitive(element, option, painter, widget);
}

void WidgetStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                                     const QWidget* widget) const {
    if (const auto* box = qstyleoption_cast<const QStyleOptionComboBox*>(option)) {
        QStyleOptionComboBox changed(*box);
        changed.palette = outlined(box->palette);
        QProxyStyle::drawComplexControl(control, &changed, painter, widget);
    } else if (const auto* spin = qstyleoption_cast<const QStyleOptionSpinBox*>(option)) {
        QStyleOptionSpinBox changed(*spin);
        changed.palette = outlined(spin->palette);
        QProxyStyle::drawComplexControl(control, &changed, painter, widget);
    } else {
        QProxyStyle::drawComplexControl(control, option, painter, widget);
    }
}

}  // namespace kvist::ui
