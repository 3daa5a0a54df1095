// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QGraphicsItem>
#include <QPen>

#include "ui/charts/chart_look.h"
#include "ui/charts/chart_spec.h"

namespace kvist::ui {

class Plot;

/// Opacity of curves beside the one that is looked at, and of the names of hidden ones.
inline constexpr double kDimmed = 0.25;

/// Pen of a curve's line, for the plot and its legend.
QPen penOf(const ChartSeries& series, const ChartLook& look);

/// Text in a box beside a position, moved so that it lies within the size.
void paintTextBox(QPainter& painter, const ChartLook& look, const QString& text, const QPointF& at,
                  const QSizeF& within);

/// Below the curves: grid, ticks and axis titles.
class PlotBackdrop : public QGraphicsItem {
public:
    explicit PlotBackdrop(Plot* plot);
    void refresh();
    QRectF boundingRect() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    Plot* m_plot;
};

/// Above the curves: error bars, markers, series names, notes, crosshair.
class PlotOverlay : public QGraphicsItem {
public:
    explicit PlotOverlay(Plot* plot);
    void refresh();
    QRectF boundingRect() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    void paintPoints(QPainter& painter) const;
    void paintLabels(QPainter& painter) const;
    void paintNote(QPainter& painter) const;
    void paintCrosshair(QPainter& painter) const;

    Plot* m_plot;
};

}  // namespace kvist::ui
