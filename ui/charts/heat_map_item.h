// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QGraphicsItem>

#include "ui/charts/heat_map.h"

namespace kvist::ui {

class Plot;

/// The whole picture of a map: panels with their cells, names of rows and columns, the scale, and the box that tells
/// of the chosen cell.
class HeatMapItem : public QGraphicsItem {
public:
    explicit HeatMapItem(Plot* plot);

    void refresh();
    const HeatMapLayout& heatLayout() const { return m_layout; }

    QRectF boundingRect() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    void paintPanel(QPainter& painter, const HeatMapPanel& panel) const;
    void paintScale(QPainter& painter) const;
    void paintChosen(QPainter& painter) const;

    Plot* m_plot;
    HeatMapLayout m_layout;
};

}  // namespace kvist::ui
