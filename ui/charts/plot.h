// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractAxis>
#include <QChart>
#include <QXYSeries>
#include <optional>
#include <set>

#include "ui/charts/chart_layout.h"
#include "ui/charts/chart_look.h"

namespace kvist::ui {

class HeatMapItem;
class PlotBackdrop;
class PlotOverlay;

/// A point of the spec by its place in it.
struct PointReference {
    int series = 0;
    int point = 0;

    bool operator==(const PointReference&) const = default;
};

/// The picture of one ChartSpec. Qt Charts draws the lines; grid, ticks, markers, names, error bars and
/// crosshair are own painters, so that nothing is elided and the export shows what the screen shows. A map is one
/// painter by itself and does not zoom. Owns
/// the shown range: it follows the data until setRanges() is called. Series hold the stored values.
class Plot : public QChart {
    Q_OBJECT
public:
    explicit Plot(ChartLook look);

    /// Shows other values; series of the same shape are kept and their points replaced.
    void setSpec(const ChartSpec& spec);
    const ChartSpec& spec() const { return m_spec; }

    void setLook(const ChartLook& look);
    const ChartLook& look() const { return m_look; }

    bool isFollowing() const { return m_isFollowing; }
    void follow();
    void setRanges(const AxisRange& x, const AxisRange& y);
    const AxisRange& xRange() const { return m_x; }
    const AxisRange& yRange() const { return m_y; }

    const ChartLayout& chartLayout() const { return m_layout; }
    QPointF positionOf(double x, double y) const;

    /// The finite point nearest to a position in the plot, if one is within `reach`.
    std::optional<PointReference> nearestPoint(const QPointF& position, qreal reach) const;
    void setCrosshair(std::optional<PointReference> point);
    std::optional<PointReference> crosshair() const { return m_crosshair; }

    /// The name that lies at a position, or null.
    const SeriesLabel* labelAt(const QPointF& position) const;
    /// Hides or shows the curves of a name.
    void toggle(const SeriesLabel& label);
    bool isSeriesHidden(int series) const;
    /// Dims all curves but those of the name; null dims none.
    void emphasize(const SeriesLabel* label);
    bool isSeriesDimmed(int series) const { return !m_emphasized.empty() && m_emphasized.count(series) == 0; }

Q_SIGNALS:
    void followingChanged(bool isFollowing);

protected:
    void resizeEvent(QGraphicsSceneResizeEvent* event) override;

private:
    using DrawnSeries = std::vector<QXYSeries*>;  ///< one line per stretch without a gap

    void rebuildAxes();
    void showSeries();
    void styleSeries();
    DrawnSeries makeLines(std::size_t count);
    void relayout();

    ChartSpec m_spec;
    ChartLook m_look;
    ChartLayout m_layout;
    AxisRange m_x;
    AxisRange m_y;
    bool m_isFollowing = true;
    std::vector<DrawnSeries> m_drawn;
    std::set<QString> m_hidden;  ///< by name, since places change as curves are added
    std::set<int> m_emphasized;
    std::optional<PointReference> m_crosshair;
    QAbstractAxis* m_xAxis = nullptr;
    QAbstractAxis* m_yAxis = nullptr;
    PlotBackdrop* m_backdrop;
    PlotOverlay* m_overlay;
    HeatMapItem* m_map;
};

/// The one way to a chart: the screen shows one, the export builds a second.
Plot* buildPlot(const ChartSpec& spec, const ChartLook& look);

}  // namespace kvist::ui
