// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/heat_map_item.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/charts/plot.h"
#include "ui/charts/plot_items.h"

namespace kvist::ui {

namespace {

QString percent(double share) {
    return QString::number(qRound(100 * share));
}

QString titled(const ChartAxis& axis) {
    return axis.unit.isEmpty() ? axis.title : QStringLiteral("%1 (%2)").arg(axis.title, axis.unit);
}

}  // namespace

HeatMapItem::HeatMapItem(Plot* plot) : QGraphicsItem(plot), m_plot(plot) {
    constexpr qreal kAboveTheChart = 100;
    setZValue(kAboveTheChart);
}

void HeatMapItem::refresh() {
    prepareGeometryChange();
    m_layout = layOutHeatMap(m_plot->spec(), boundingRect(), QFontMetricsF(m_plot->look().font));
    update();
}

QRectF HeatMapItem::boundingRect() const {
    return {QPointF(), m_plot->size()};
}

void HeatMapItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
    const ChartLook& look = m_plot->look();
    const ChartSpec& spec = m_plot->spec();
    painter->setFont(look.font);
    for (const HeatMapPanel& panel : m_layout.panels) {
        paintPanel(*painter, panel);
    }
    painter->setPen(look.colors.muted);
    painter->drawText(m_layout.yTitle, Qt::AlignLeft | Qt::AlignVCenter, titled(spec.y));
    painter->drawText(m_layout.xTitle, Qt::AlignLeft | Qt::AlignVCenter, titled(spec.x));
    painter->drawText(m_layout.note, Qt::AlignRight | Qt::AlignVCenter, spec.note);
    paintScale(*painter);
    paintChosen(*painter);
}

void HeatMapItem::paintPanel(QPainter& painter, const HeatMapPanel& panel) const {
    const ChartLook& look = m_plot->look();
    const ChartSeries& series = m_plot->spec().series[static_cast<std::size_t>(panel.series)];
    const QFontMetricsF metrics(look.font);
    const qreal line = metrics.height();
    const qreal gap = look.unit() / 8;
    painter.setPen(look.colors.text);
    painter.drawText(panel.title, Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(series.name, Qt::ElideMiddle, panel.title.width()));
    painter.setPen(QPen(look.colors.border, gap));
    painter.drawRect(panel.grid);
    for (const ChartPoint& point : series.points) {
        const QRectF cell = m_layout.cell(panel, point.x, point.y).adjusted(gap, gap, -gap, -gap);
        const QColor color = heatColor(point.value, look.colors);
        painter.fillRect(cell, color);
        if (cell.height() >= line && cell.width() >= metrics.horizontalAdvance(QStringLiteral("100"))) {
            painter.setPen(inkOn(color));
            painter.drawText(cell, Qt::AlignCenter, percent(point.value));
        }
    }
    painter.setPen(look.colors.muted);
    qreal free = panel.grid.left() - look.unit();  // names that would run into the one before are left out
    for (const double column : m_layout.columns) {
        const QString label = QString::number(column, 'f', 0);
        const qreal width = metrics.horizontalAdvance(label) + 1;
        const qreal center = m_layout.cell(panel, column, 0).center().x();
        if (center - width / 2 >= free + look.unit()) {
            painter.drawText(QRectF(center - width / 2, panel.grid.bottom(), width, line), Qt::AlignCenter, label);
            free = center + width / 2;
        }
    }
    free = panel.grid.top() - line;
    for (const double row : m_layout.rows) {
        const qreal top = m_layout.cell(panel, 0, row).center().y() - line / 2;
        if (panel.hasRowLabels && top >= free) {
            painter.drawText(QRectF(0, top, panel.grid.left() - look.unit() / 2, line),
                             Qt::AlignRight | Qt::AlignVCenter, rowLabel(row));
            free = top + line;
        }
    }
}

void HeatMapItem::paintScale(QPainter& painter) const {
    const ChartLook& look = m_plot->look();
    const QFontMetricsF metrics(look.font);
    const QString text = titled(m_plot->spec().value);
    const QString most = QStringLiteral("100");
    QRectF area = m_layout.scale;
    painter.setPen(look.colors.muted);
    painter.drawText(area, Qt::AlignRight | Qt::AlignVCenter, most);
    area.setRight(area.right() - metrics.horizontalAdvance(most) - look.unit() / 2);
    QRectF bar = area.adjusted(0, look.unit() / 2, 0, -look.unit() / 2);
    bar.setLeft(bar.right() - 8 * look.unit());
    QLinearGradient gradient(bar.topLeft(), bar.topRight());
    gradient.setColorAt(0, heatColor(0, look.colors));
    gradient.setColorAt(1, heatColor(1, look.colors));
    painter.fillRect(bar, gradient);
    area.setRight(bar.left() - look.unit() / 2);
    painter.drawText(area, Qt::AlignRight | Qt::AlignVCenter, text + QStringLiteral("  0"));
}

void HeatMapItem::paintChosen(QPainter& painter) const {
    if (!m_plot->crosshair()) {
        return;
    }
    const ChartLook& look = m_plot->look();
    const ChartSpec& spec = m_plot->spec();
    const auto series = static_cast<std::size_t>(m_plot->crosshair()->series);
    const ChartPoint& point = spec.series[series].points[static_cast<std::size_t>(m_plot->crosshair()->point)];
    const QRectF cell = m_layout.cell(m_layout.panels[series], point.x, point.y);
    painter.setPen(QPen(look.colors.text, look.unit() / 4));
    painter.drawRect(cell);
    paintTextBox(painter, look,
                 QStringLiteral("%1\n%2: %3\n%4: %5\n%6: %7\n%8")
                     .arg(spec.series[series].name, spec.x.title, QString::number(point.x), spec.y.title,
                          rowLabel(point.y), spec.value.title, percent(point.value) + QStringLiteral(" %"), point.note),
                 cell.center(), m_plot->size());
}

}  // namespace kvist::ui
