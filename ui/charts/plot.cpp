// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/plot.h"

#include <QGraphicsSceneResizeEvent>
#include <QLegend>
#include <QLineSeries>
#include <QLogValueAxis>
#include <QValueAxis>
#include <cmath>

#include "ui/charts/heat_map_item.h"
#include "ui/charts/plot_items.h"
#include "ui/charts/plot_segments.h"

namespace kvist::ui {

namespace {

QAbstractAxis* makeAxis(AxisScale scale, QObject* parent) {
    QAbstractAxis* axis = nullptr;
    if (scale == AxisScale::Logarithmic) {
        auto* logarithmic = new QLogValueAxis(parent);
        logarithmic->setBase(2);
        axis = logarithmic;
    } else {
        axis = new QValueAxis(parent);
    }
    axis->setVisible(false);
    return axis;
}

}  // namespace

Plot::Plot(ChartLook look)
    : m_look(std::move(look)),
      m_backdrop(new PlotBackdrop(this)),
      m_overlay(new PlotOverlay(this)),
      m_map(new HeatMapItem(this)) {
    legend()->hide();
    setBackgroundVisible(false);
    setMargins(QMargins());
    setContentsMargins(0, 0, 0, 0);
    setAnimationOptions(QChart::NoAnimation);
    rebuildAxes();
}

void Plot::setSpec(const ChartSpec& spec) {
    const bool sameScales = spec.x.scale == m_spec.x.scale && spec.y.scale == m_spec.y.scale;
    m_spec = spec;
    m_crosshair.reset();
    m_emphasized.clear();
    if (!sameScales) {
        rebuildAxes();
        m_isFollowing = true;
    }
    if (m_isFollowing) {
        m_x = rangeOfX(m_spec);
        m_y = rangeOfY(m_spec);
    }
    showSeries();
    relayout();
}

void Plot::setLook(const ChartLook& look) {
    m_look = look;
    styleSeries();
    relayout();
}

void Plot::follow() {
    m_x = rangeOfX(m_spec);
    m_y = rangeOfY(m_spec);
    const bool changed = !m_isFollowing;
    m_isFollowing = true;
    relayout();
    if (changed) {
        Q_EMIT followingChanged(true);
    }
}

void Plot::setRanges(const AxisRange& x, const AxisRange& y) {
    if (m_spec.isMap()) {
        return;
    }
    m_x = x;
    m_y = y;
    const bool changed = m_isFollowing;
    m_isFollowing = false;
    relayout();
    if (changed) {
        Q_EMIT followingChanged(false);
    }
}

QPointF Plot::positionOf(double x, double y) const {
    const QRectF& area = m_layout.plot;
    return {area.left() + shareOf(m_x, m_spec.x.scale, x) * area.width(),
            area.bottom() - shareOf(m_y, m_spec.y.scale, y) * area.height()};
}

std::optional<PointReference> Plot::nearestPoint(const QPointF& position, qreal reach) const {
    if (m_spec.isMap()) {
        const auto cell = m_map->heatLayout().cellAt(m_spec, position);
        return cell ? std::optional(PointReference{cell->first, cell->second}) : std::nullopt;
    }
    std::optional<PointReference> nearest;
    double least = reach * reach;
    for (std::size_t series = 0; series < m_spec.series.size(); ++series) {
        if (isSeriesHidden(static_cast<int>(series))) {
            continue;
        }
        const auto& points = m_spec.series[series].points;
        for (std::size_t index = 0; index < points.size(); ++index) {
            const QPointF offset = positionOf(points[index].x, points[index].y) - position;
            const double distance = QPointF::dotProduct(offset, offset);
            if (distance < least) {
                least = distance;
                nearest = PointReference{static_cast<int>(series), static_cast<int>(index)};
            }
        }
    }
    return nearest;
}

void Plot::setCrosshair(std::optional<PointReference> point) {
    if (point != m_crosshair) {
        m_crosshair = point;
        m_overlay->update();
        m_map->update();
    }
}

const SeriesLabel* Plot::labelAt(const QPointF& position) const {
    for (const SeriesLabel& label : m_layout.labels) {
        if (label.area.contains(position)) {
            return &label;
        }
    }
    return nullptr;
}

void Plot::toggle(const SeriesLabel& label) {
    const bool hides = !isSeriesHidden(label.series.front());
    for (const int series : label.series) {
        const QString& name = m_spec.series[static_cast<std::size_t>(series)].name;
        if (hides) {
            m_hidden.insert(name);
        } else {
            m_hidden.erase(name);
        }
    }
    styleSeries();
    m_overlay->update();
}

bool Plot::isSeriesHidden(int series) const {
    return m_hidden.count(m_spec.series[static_cast<std::size_t>(series)].name) > 0;
}

void Plot::emphasize(const SeriesLabel* label) {
    std::set<int> emphasized;
    if (label != nullptr) {
        emphasized.insert(label->series.begin(), label->series.end());
    }
    if (emphasized != m_emphasized) {
        m_emphasized = std::move(emphasized);
        styleSeries();
        m_overlay->update();
    }
}

void Plot::resizeEvent(QGraphicsSceneResizeEvent* event) {
    QChart::resizeEvent(event);
    relayout();
}

void Plot::rebuildAxes() {
    removeAllSeries();
    m_drawn.clear();
    m_hidden.clear();
    for (QAbstractAxis* axis : {m_xAxis, m_yAxis}) {
        if (axis != nullptr) {
            removeAxis(axis);
            delete axis;
        }
    }
    m_xAxis = makeAxis(m_spec.x.scale, this);
    m_yAxis = makeAxis(m_spec.y.scale, this);
    addAxis(m_xAxis, Qt::AlignBottom);
    addAxis(m_yAxis, Qt::AlignLeft);
}

Plot::DrawnSeries Plot::makeLines(std::size_t count) {
    DrawnSeries lines;
    for (std::size_t index = 0; index < count; ++index) {
        auto* line = new QLineSeries;
        addSeries(line);
        line->attachAxis(m_xAxis);
        line->attachAxis(m_yAxis);
        lines.push_back(line);
    }
    return lines;
}

void Plot::showSeries() {
    std::vector<std::vector<QList<QPointF>>> segments;
    bool sameShape = m_drawn.size() == m_spec.series.size();
    for (std::size_t index = 0; index < m_spec.series.size(); ++index) {
        segments.push_back(segmentsOf(m_spec.series[index], m_spec.x, m_spec.y));
        sameShape = sameShape && m_drawn[index].size() == segments[index].size();
    }
    if (!sameShape) {
        removeAllSeries();
        m_drawn.clear();
        for (const auto& one : segments) {
            m_drawn.push_back(makeLines(one.size()));
        }
    }
    const int columns = std::max(512, static_cast<int>(size().width()));
    for (std::size_t index = 0; index < m_drawn.size(); ++index) {
        for (std::size_t segment = 0; segment < segments[index].size(); ++segment) {
            m_drawn[index][segment]->setName(m_spec.series[index].name);
            m_drawn[index][segment]->replace(decimated(segments[index][segment], columns));
        }
    }
    styleSeries();
}

void Plot::styleSeries() {
    for (std::size_t index = 0; index < m_drawn.size(); ++index) {
        for (QXYSeries* line : m_drawn[index]) {
            line->setPen(penOf(m_spec.series[index], m_look));
            line->setOpacity(isSeriesDimmed(static_cast<int>(index)) ? kDimmed : 1);
            line->setVisible(!isSeriesHidden(static_cast<int>(index)));
        }
    }
}

void Plot::relayout() {
    const bool isMap = m_spec.isMap();
    m_backdrop->setVisible(!isMap);
    m_overlay->setVisible(!isMap);
    m_map->setVisible(isMap);
    if (isMap) {
        m_layout = {};
        m_layout.plot = QRectF(QPointF(), size());
        m_map->refresh();
        return;
    }
    m_layout = layOutChart(m_spec, m_x, m_y, QRectF(QPointF(), size()), QFontMetricsF(m_look.font));
    setPlotArea(m_layout.plot);
    m_xAxis->setRange(m_x.minimum, m_x.maximum);
    m_yAxis->setRange(m_y.minimum, m_y.maximum);
    m_backdrop->refresh();
    m_overlay->refresh();
}

Plot* buildPlot(const ChartSpec& spec, const ChartLook& look) {
    auto* plot = new Plot(look);
    plot->setSpec(spec);
    return plot;
}

}  // namespace kvist::ui
