// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QChartView>
#include <QRubberBand>

#include "ui/charts/plot.h"

namespace kvist::ui {

/// A chart on the screen: the wheel zooms at the cursor, dragging pans, dragging with Shift or the right button zooms
/// into the rectangle, a double click or Home follows the data again, arrows and +/− do the same from the keyboard; the
/// nearest point shows its exact values. Pointing at a series name dims the others, clicking hides the series.
class ChartView : public QChartView {
    Q_OBJECT
public:
    explicit ChartView(QWidget* parent = nullptr);

    void setSpec(const ChartSpec& spec);
    Plot* plot() const { return m_plot; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    ChartLook currentLook() const;
    void zoomAt(const QPointF& position, double factor);
    void zoomInto(const QRectF& rectangle);
    void panBy(double xShare, double yShare);

    Plot* m_plot;
    std::optional<QPointF> m_dragFrom;
    std::optional<QPoint> m_bandFrom;
    QRubberBand* m_band;
};

}  // namespace kvist::ui
