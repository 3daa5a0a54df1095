// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/series_mark.h"

#include "engine/api/policy_catalog.h"
#include "experiments/run_key.h"
#include "ui/style/metrics.h"

namespace kvist::ui {

namespace {

/// What others are compared with; policies without a budget that evict nevertheless are none.
bool isBaseline(const PolicyInfo& info) {
    return info.id == experiments::kFullPolicy;
}

}  // namespace

void paintMarker(QPainter& painter, MarkerShape shape, const QPointF& center, qreal size) {
    const qreal half = size / 2;
    const QRectF box(center.x() - half, center.y() - half, size, size);
    switch (shape) {
        case MarkerShape::Circle:
            painter.drawEllipse(box);
            break;
        case MarkerShape::Square:
            painter.drawRect(box);
            break;
        case MarkerShape::Triangle:
            painter.drawPolygon(QPolygonF{QPointF(center.x(), box.top()), box.bottomRight(), box.bottomLeft()});
            break;
        case MarkerShape::Diamond:
            painter.drawPolygon(QPolygonF{QPointF(center.x(), box.top()), QPointF(box.right(), center.y()),
                                          QPointF(center.x(), box.bottom()), QPointF(box.left(), center.y())});
            break;
    }
}

SeriesStyle styleOfPolicy(const std::string& policy, int variant) {
    SeriesStyle style;
    style.variant = variant;
    for (const PolicyInfo& info : policyCatalog()) {
        if (info.id == policy) {
            style.isBaseline = isBaseline(info);
            return style;
        }
        style.color += isBaseline(info) ? 0 : 1;
    }
    return style;
}

QPixmap policyMark(const std::string& policy, const QWidget* widget) {
    const int extent = spacingUnit(widget) * 2;
    const qreal scale = widget->devicePixelRatioF();
    QPixmap pixmap(qRound(extent * scale), qRound(extent * scale));
    pixmap.setDevicePixelRatio(scale);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    const SeriesStyle style = styleOfPolicy(policy);
    painter.setPen(Qt::NoPen);
    painter.setBrush(seriesColor(style, currentColors()));
    const QPointF center(extent / 2.0, extent / 2.0);
    if (style.isBaseline) {
        painter.drawRect(QRectF(0, center.y() - extent / 16.0, extent, extent / 8.0));
    } else {
        paintMarker(painter, seriesMarker(style), center, extent * 0.55);
    }
    return pixmap;
}

}  // namespace kvist::ui
