// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_view.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>
#include <cmath>

#include "ui/style/metrics.h"

namespace kvist::ui {

namespace {

constexpr double kZoomStep = 0.8;
constexpr double kPanStep = 0.1;
constexpr int kWheelNotch = 120;

}  // namespace

ChartView::ChartView(QWidget* parent)
    : QChartView(parent), m_plot(buildPlot({}, currentLook())), m_band(new QRubberBand(QRubberBand::Rectangle, this)) {
    QChart* placeholder = chart();
    setChart(m_plot);
    delete placeholder;
    setRenderHint(QPainter::Antialiasing);
    setFrameShape(QFrame::NoFrame);
    setBackgroundBrush(palette().base());
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
}

void ChartView::setSpec(const ChartSpec& spec) {
    m_plot->setSpec(spec);
}

QSize ChartView::sizeHint() const {
    return {textWidth(this, 60), fontMetrics().height() * 18};
}

QSize ChartView::minimumSizeHint() const {
    return {textWidth(this, 30), fontMetrics().height() * 9};
}

void ChartView::wheelEvent(QWheelEvent* event) {
    const double notches = event->angleDelta().y() / static_cast<double>(kWheelNotch);
    zoomAt(event->position(), std::pow(kZoomStep, notches));
    event->accept();
}

void ChartView::mousePressEvent(QMouseEvent* event) {
    const bool isLeft = event->button() == Qt::LeftButton;
    if (event->button() == Qt::RightButton || (isLeft && event->modifiers().testFlag(Qt::ShiftModifier))) {
        m_bandFrom = event->position().toPoint();
        return;
    }
    if (!isLeft) {
        QChartView::mousePressEvent(event);
        return;
    }
    if (const SeriesLabel* label = m_plot->labelAt(event->position())) {
        m_plot->toggle(*label);
    } else {
        m_dragFrom = event->position();
    }
}

void ChartView::mouseMoveEvent(QMouseEvent* event) {
    if (m_bandFrom) {
        m_plot->setCrosshair({});
        m_band->setGeometry(QRect(*m_bandFrom, event->position().toPoint()).normalized());
        m_band->show();
        return;
    }
    if (m_dragFrom) {
        const QPointF offset = event->position() - *m_dragFrom;
        if (m_plot->isFollowing() && offset.manhattanLength() < spacingUnit(this)) {
            return;
        }
        const QRectF& area = m_plot->chartLayout().plot;
        m_plot->setCrosshair({});
        panBy(-offset.x() / area.width(), offset.y() / area.height());
        m_dragFrom = event->position();
        return;
    }
    m_plot->setCrosshair(m_plot->nearestPoint(event->position(), spacingUnit(this) * 3));
    const SeriesLabel* label = m_plot->labelAt(event->position());
    m_plot->emphasize(label);
    setCursor(label != nullptr ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void ChartView::mouseReleaseEvent(QMouseEvent* event) {
    if (m_bandFrom) {
        zoomInto(QRectF(*m_bandFrom, event->position()).normalized());
        m_bandFrom.reset();
        m_band->hide();
        return;
    }
    m_dragFrom.reset();
    QChartView::mouseReleaseEvent(event);
}

void ChartView::mouseDoubleClickEvent(QMouseEvent*) {
    m_dragFrom.reset();
    m_plot->follow();
}

void ChartView::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Left:
            panBy(-kPanStep, 0);
            break;
        case Qt::Key_Right:
            panBy(kPanStep, 0);
            break;
        case Qt::Key_Up:
            panBy(0, kPanStep);
            break;
        case Qt::Key_Down:
            panBy(0, -kPanStep);
            break;
        case Qt::Key_Plus:
        case Qt::Key_Equal:
            zoomAt(m_plot->chartLayout().plot.center(), kZoomStep);
            break;
        case Qt::Key_Minus:
            zoomAt(m_plot->chartLayout().plot.center(), 1 / kZoomStep);
            break;
        case Qt::Key_Home:
        case Qt::Key_0:
            m_plot->follow();
            break;
        default:
            QChartView::keyPressEvent(event);
    }
}

void ChartView::leaveEvent(QEvent* event) {
    m_plot->setCrosshair({});
    m_plot->emphasize(nullptr);
    QChartView::leaveEvent(event);
}

void ChartView::changeEvent(QEvent* event) {
    QChartView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange ||
        event->type() == QEvent::StyleChange) {
        setBackgroundBrush(currentColors().base);
        m_plot->setLook(currentLook());
    }
}

ChartLook ChartView::currentLook() const {
    return {currentColors(), tabularFont(font())};
}

void ChartView::zoomAt(const QPointF& position, double factor) {
    const QRectF& area = m_plot->chartLayout().plot;
    const ChartSpec& spec = m_plot->spec();
    const double x = valueAt(m_plot->xRange(), spec.x.scale, (position.x() - area.left()) / area.width());
    const double y = valueAt(m_plot->yRange(), spec.y.scale, (area.bottom() - position.y()) / area.height());
    m_plot->setRanges(zoomed(m_plot->xRange(), spec.x.scale, x, factor),
                      zoomed(m_plot->yRange(), spec.y.scale, y, factor));
}

void ChartView::zoomInto(const QRectF& rectangle) {
    const QRectF& plot = m_plot->chartLayout().plot;
    const QRectF area = rectangle.intersected(plot);
    if (area.width() < spacingUnit(this) || area.height() < spacingUnit(this)) {
        return;
    }
    const auto x = [&](double at) {
        return valueAt(m_plot->xRange(), m_plot->spec().x.scale, (at - plot.left()) / plot.width());
    };
    const auto y = [&](double at) {
        return valueAt(m_plot->yRange(), m_plot->spec().y.scale, (plot.bottom() - at) / plot.height());
    };
    m_plot->setRanges({x(area.left()), x(area.right())}, {y(area.bottom()), y(area.top())});
}

void ChartView::panBy(double xShare, double yShare) {
    m_plot->setRanges(panned(m_plot->xRange(), m_plot->spec().x.scale, xShare),
                      panned(m_plot->yRange(), m_plot->spec().y.scale, yShare));
}

}  // namespace kvist::ui
