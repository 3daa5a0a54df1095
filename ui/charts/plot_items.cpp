// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/plot_items.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/charts/plot.h"
#include "ui/style/series_mark.h"

namespace kvist::ui {

namespace {

constexpr qreal kBackdropDepth = 0.5;  ///< above the chart's background, below its series
constexpr qreal kOverlayDepth = 100;

void paintSwatch(QPainter& painter, const ChartSeries& series, const ChartLook& look, const QRectF& area) {
    painter.setPen(penOf(series, look));
    painter.drawLine(QPointF(area.left(), area.center().y()), QPointF(area.right(), area.center().y()));
    if (series.kind == SeriesKind::Measured) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(seriesColor(series.style, look.colors));
        paintMarker(painter, seriesMarker(series.style), area.center(), look.markerSize());
        painter.setBrush(Qt::NoBrush);
    }
}

}  // namespace

QPen penOf(const ChartSeries& series, const ChartLook& look) {
    return series.kind == SeriesKind::Roofline ? rooflinePen(look.colors, look.lineWidth())
                                               : seriesPen(series.style, look.colors, look.lineWidth());
}

void paintTextBox(QPainter& painter, const ChartLook& look, const QString& text, const QPointF& at,
                  const QSizeF& within) {
    const qreal unit = look.unit();
    const QFontMetricsF metrics(look.font);
    QRectF box = metrics.boundingRect(QRectF(QPointF(), within), Qt::AlignLeft, text);
    box.adjust(-unit, -unit / 2, unit, unit / 2);
    box.moveTopLeft(at + QPointF(unit, unit));
    if (box.right() > within.width()) {
        box.moveRight(at.x() - unit);
    }
    if (box.bottom() > within.height()) {
        box.moveBottom(at.y() - unit);
    }
    box.moveLeft(std::max(0.0, box.left()));
    box.moveTop(std::max(0.0, box.top()));
    painter.setPen(QPen(look.colors.border, unit / 8));
    painter.setBrush(look.colors.base);
    painter.drawRect(box);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(look.colors.text);
    painter.drawText(box.adjusted(unit, unit / 2, -unit, -unit / 2), Qt::AlignLeft, text);
}

PlotBackdrop::PlotBackdrop(Plot* plot) : QGraphicsItem(plot), m_plot(plot) {
    setZValue(kBackdropDepth);
}

void PlotBackdrop::refresh() {
    prepareGeometryChange();
    update();
}

QRectF PlotBackdrop::boundingRect() const {
    return {QPointF(), m_plot->size()};
}

void PlotBackdrop::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
    const ChartLook& look = m_plot->look();
    const ChartLayout& layout = m_plot->chartLayout();
    const ChartSpec& spec = m_plot->spec();
    const QRectF& plot = layout.plot;
    const QFontMetricsF metrics(look.font);
    const qreal line = metrics.height();
    const qreal hairline = look.unit() / 8;
    painter->setFont(look.font);

    painter->setPen(QPen(look.colors.border, hairline));
    painter->drawLine(plot.bottomLeft(), plot.bottomRight());
    painter->setPen(look.colors.muted);
    const auto titled = [&spec](const ChartAxis& axis, const AxisTicks& ticks) {
        return spec.isEmpty() && axis.format == AxisFormat::Bytes ? axis.title : ticks.titled(axis.title);
    };
    painter->drawText(layout.yTitle, Qt::AlignLeft | Qt::AlignVCenter, titled(spec.y, layout.yTicks));
    painter->drawText(layout.xTitle, Qt::AlignLeft | Qt::AlignVCenter, titled(spec.x, layout.xTicks));
    if (spec.isEmpty()) {
        return;
    }
    for (const AxisTick& tick : layout.yTicks.ticks) {
        const qreal y = plot.bottom() - shareOf(m_plot->yRange(), spec.y.scale, tick.value) * plot.height();
        painter->setPen(QPen(look.colors.grid, hairline));
        painter->drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
        painter->setPen(look.colors.muted);
        painter->drawText(QRectF(0, y - line / 2, plot.left() - look.unit() / 2, line),
                          Qt::AlignRight | Qt::AlignVCenter, tick.label);
    }
    for (const AxisTick& tick : layout.xTicks.ticks) {
        const qreal x = plot.left() + shareOf(m_plot->xRange(), spec.x.scale, tick.value) * plot.width();
        painter->setPen(QPen(look.colors.border, hairline));
        painter->drawLine(QPointF(x, plot.bottom()), QPointF(x, plot.bottom() + look.unit() / 2));
        const qreal width = metrics.horizontalAdvance(tick.label) + 2;
        const qreal left = std::clamp(x - width / 2, 0.0, std::max(0.0, m_plot->size().width() - width));
        painter->setPen(look.colors.muted);
        painter->drawText(QRectF(left, plot.bottom() + look.unit() / 2, width, line), Qt::AlignCenter, tick.label);
    }
}

PlotOverlay::PlotOverlay(Plot* plot) : QGraphicsItem(plot), m_plot(plot) {
    setZValue(kOverlayDepth);
}

void PlotOverlay::refresh() {
    prepareGeometryChange();
    update();
}

QRectF PlotOverlay::boundingRect() const {
    return {QPointF(), m_plot->size()};
}

void PlotOverlay::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
    painter->setFont(m_plot->look().font);
    painter->setRenderHint(QPainter::Antialiasing);
    paintPoints(*painter);
    paintLabels(*painter);
    paintNote(*painter);
    paintCrosshair(*painter);
}

void PlotOverlay::paintPoints(QPainter& painter) const {
    const ChartLook& look = m_plot->look();
    const ChartSpec& spec = m_plot->spec();
    const QRectF& plot = m_plot->chartLayout().plot;
    const qreal cap = look.unit() / 2;
    painter.save();
    painter.setClipRect(plot.adjusted(-cap, -cap, cap, cap));
    for (std::size_t index = 0; index < spec.series.size(); ++index) {
        const ChartSeries& series = spec.series[index];
        if (m_plot->isSeriesHidden(static_cast<int>(index)) || series.kind != SeriesKind::Measured) {
            continue;
        }
        const QColor color = seriesColor(series.style, look.colors);
        painter.setOpacity(m_plot->isSeriesDimmed(static_cast<int>(index)) ? kDimmed : 1);
        for (const ChartPoint& point : series.points) {
            const QPointF at = m_plot->positionOf(point.x, point.y);
            if (!std::isfinite(at.x()) || !std::isfinite(at.y()) || !plot.adjusted(-1, -1, 1, 1).contains(at)) {
                continue;
            }
            if (std::isfinite(point.error)) {
                const QPointF top = m_plot->positionOf(point.x, point.y + point.error);
                QPointF bottom = m_plot->positionOf(point.x, point.y - point.error);
                if (!std::isfinite(bottom.y())) {
                    bottom.setY(plot.bottom());
                }
                painter.setPen(QPen(color, look.lineWidth() / 2));
                painter.drawLine(top, bottom);
                painter.drawLine(top - QPointF(cap, 0), top + QPointF(cap, 0));
                painter.drawLine(bottom - QPointF(cap, 0), bottom + QPointF(cap, 0));
            }
            painter.setPen(Qt::NoPen);
            painter.setBrush(color);
            paintMarker(painter, seriesMarker(series.style), at, look.markerSize());
            painter.setBrush(Qt::NoBrush);
        }
    }
    painter.restore();
}

void PlotOverlay::paintLabels(QPainter& painter) const {
    const ChartLook& look = m_plot->look();
    for (const SeriesLabel& label : m_plot->chartLayout().labels) {
        painter.setOpacity(m_plot->isSeriesHidden(label.series.front()) ? kDimmed : 1);
        QRectF swatch = label.area;
        swatch.setWidth(look.unit() * 2);
        QRectF text = label.area;
        if (label.hasSwatch) {
            paintSwatch(painter, m_plot->spec().series[static_cast<std::size_t>(label.series.front())], look, swatch);
            text.setLeft(swatch.right() + look.unit() / 2);
        }
        text.setRight(text.right() + look.unit());
        painter.setPen(look.colors.text);
        painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter, label.text);
    }
    painter.setOpacity(1);
}

void PlotOverlay::paintNote(QPainter& painter) const {
    const ChartLook& look = m_plot->look();
    const ChartSpec& spec = m_plot->spec();
    painter.setPen(look.colors.muted);
    if (spec.isEmpty()) {
        painter.drawText(m_plot->chartLayout().plot, Qt::AlignCenter | Qt::TextWordWrap, spec.emptyText);
        return;
    }
    painter.drawText(m_plot->chartLayout().note, Qt::AlignRight | Qt::AlignVCenter, m_plot->chartLayout().noteText);
}

void PlotOverlay::paintCrosshair(QPainter& painter) const {
    if (!m_plot->crosshair()) {
        return;
    }
    const ChartLook& look = m_plot->look();
    const ChartSpec& spec = m_plot->spec();
    const ChartSeries& series = spec.series[static_cast<std::size_t>(m_plot->crosshair()->series)];
    const ChartPoint& point = series.points[static_cast<std::size_t>(m_plot->crosshair()->point)];
    const QPointF at = m_plot->positionOf(point.x, point.y);
    const QRectF& plot = m_plot->chartLayout().plot;
    painter.setPen(QPen(look.colors.muted, look.unit() / 8));
    painter.drawLine(QPointF(at.x(), plot.top()), QPointF(at.x(), plot.bottom()));
    painter.drawLine(QPointF(plot.left(), at.y()), QPointF(plot.right(), at.y()));

    QString text = series.name.isEmpty() ? QString() : series.name + QLatin1Char('\n');
    text += QStringLiteral("%1: %2\n%3: %4")
                .arg(spec.x.title, formatValue(spec.x, point.x, 9), spec.y.title, formatValue(spec.y, point.y, 9));
    if (std::isfinite(point.error)) {
        text += QStringLiteral(" ± ") + formatValue(spec.y, point.error, 4);
    }
    if (!point.note.isEmpty()) {
        text += QLatin1Char('\n') + point.note;
    }
    paintTextBox(painter, look, text, at, m_plot->size());
}

}  // namespace kvist::ui
