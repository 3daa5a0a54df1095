// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_layout.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

namespace kvist::ui {

namespace {

constexpr double kLeastEndShare = 0.8;       ///< end labels only where every curve reaches this far
constexpr double kLargestLabelShare = 0.32;  ///< of the width, for names at the right
constexpr int kMostEndLabels = 8;
constexpr double kLargestLegendShare = 0.35;  ///< of the height
constexpr double kFarthestShift = 1.6;        ///< lines that an end label may move away from its point

struct CurveEnd {
    int series;
    double x;
    double y;
};

bool isNamed(const ChartSeries& series) {
    return !series.name.isEmpty() && std::any_of(series.points.begin(), series.points.end(),
                                                 [](const ChartPoint& point) { return std::isfinite(point.y); });
}

QString noteOf(const ChartSpec& spec) {
    QStringList parts;
    if (!spec.errorMeaning.isEmpty() && spec.hasErrorBars()) {
        parts << QCoreApplication::translate("Charts", "bars: %1").arg(spec.errorMeaning);
    }
    if (!spec.note.isEmpty()) {
        parts << spec.note;
    }
    return parts.join(QStringLiteral(" · "));
}

class Layouter {
public:
    Layouter(const ChartSpec& spec, const AxisRange& x, const AxisRange& y, const QRectF& area,
             const QFontMetricsF& metrics)
        : m_spec(spec),
          m_x(x),
          m_y(y),
          m_area(area),
          m_metrics(metrics),
          m_line(metrics.height()),
          m_unit(m_line / 2) {}

    ChartLayout run() {
        const double bottom = placeFooter();
        double top = m_area.top();
        const auto place = [&](double plotTop, double rightMargin) {
            m_layout.yTitle = QRectF(m_area.left(), plotTop, m_area.width(), m_line);
            placePlot(plotTop + m_line + m_unit, bottom, rightMargin);
        };
        const double nameWidth = widestName();
        const double endMargin = nameWidth + swatchWidth() + m_unit;
        if (nameWidth == 0) {
            place(top, m_unit);
            return m_layout;
        }
        if (endMargin <= m_area.width() * kLargestLabelShare) {
            place(top, endMargin);
            if (placeEndLabels()) {
                return m_layout;
            }
        }
        top = placeLegend(top);
        place(top, m_unit);
        return m_layout;
    }

private:
    double swatchWidth() const { return m_unit * 2.5; }

    double placeFooter() {
        m_layout.noteText = noteOf(m_spec);
        const double noteWidth = m_metrics.horizontalAdvance(m_layout.noteText);
        const double titleWidth = m_metrics.horizontalAdvance(ticksFor(m_spec.x, m_x).titled(m_spec.x.title));
        double bottom = m_area.bottom() - m_line;
        m_layout.note = QRectF(m_area.left(), bottom, m_area.width(), m_line);
        if (noteWidth > 0 && noteWidth + titleWidth + 6 * m_unit > m_area.width()) {
            bottom -= m_line;
        }
        m_layout.noteText = m_metrics.elidedText(m_layout.noteText, Qt::ElideRight, m_area.width());
        m_layout.xTitle = QRectF(m_area.left(), bottom, m_area.width(), m_line);
        return bottom - m_line - m_unit / 2;
    }

    double widestName() const {
        double width = 0;
        for (const ChartSeries& series : m_spec.series) {
            if (isNamed(series)) {
                width = std::max(width, m_metrics.horizontalAdvance(series.name));
            }
        }
        return width;
    }

    double widestLabel(const AxisTicks& ticks) const {
        double width = 0;
        for (const AxisTick& tick : ticks.ticks) {
            width = std::max(width, m_metrics.horizontalAdvance(tick.label));
        }
        return width;
    }

    void placePlot(double top, double bottom, double rightMargin) {
        const double height = std::max(m_line, bottom - top);
        const int mostY = static_cast<int>(std::clamp(height / (m_line * 1.8), 3.0, 6.0));
        m_layout.yTicks = ticksFor(m_spec.y, m_y, mostY);
        const double left = m_area.left() + widestLabel(m_layout.yTicks) + m_unit;
        const double width = std::max(m_line, m_area.right() - rightMargin - left);
        for (int most = 6; most >= 3; --most) {
            m_layout.xTicks = ticksFor(m_spec.x, m_x, most);
            const auto count = static_cast<double>(m_layout.xTicks.ticks.size());
            if ((widestLabel(m_layout.xTicks) + m_unit * 1.5) * count <= width) {
                break;
            }
        }
        m_layout.plot = QRectF(left, top, width, height);
        m_layout.xTitle.setLeft(left);
        m_layout.xTitle.setRight(left + width);
    }

    std::vector<CurveEnd> curveEnds() const {
        std::vector<CurveEnd> ends;
        for (std::size_t index = 0; index < m_spec.series.size(); ++index) {
            const ChartSeries& series = m_spec.series[index];
            if (!isNamed(series)) {
                continue;
            }
            CurveEnd end{static_cast<int>(index), kNotMeasured, kNotMeasured};
            for (const ChartPoint& point : series.points) {
                if (std::isfinite(point.y) && shareOf(m_x, m_spec.x.scale, point.x) <= 1) {
                    end.x = shareOf(m_x, m_spec.x.scale, point.x);
                    end.y = shareOf(m_y, m_spec.y.scale, point.y);
                }
            }
            ends.push_back(end);
        }
        return ends;
    }

    bool placeEndLabels() {
        std::vector<CurveEnd> ends = curveEnds();
        const bool reach = std::all_of(ends.begin(), ends.end(), [](const CurveEnd& end) {
            return end.x >= kLeastEndShare && end.y >= 0 && end.y <= 1;
        });
        const QRectF& plot = m_layout.plot;
        if (!reach || static_cast<int>(ends.size()) > kMostEndLabels ||
            static_cast<double>(ends.size()) * m_line > plot.height()) {
            return false;
        }
        std::stable_sort(ends.begin(), ends.end(), [](const CurveEnd& a, const CurveEnd& b) { return a.y > b.y; });
        std::vector<double> centers = spread(ends);
        for (std::size_t index = 0; index < ends.size(); ++index) {
            const double wanted = plot.bottom() - ends[index].y * plot.height();
            if (std::abs(centers[index] - wanted) > kFarthestShift * m_line) {
                return false;
            }
        }
        for (std::size_t index = 0; index < ends.size(); ++index) {
            const QString& name = m_spec.series[static_cast<std::size_t>(ends[index].series)].name;
            const double width = swatchWidth() + m_metrics.horizontalAdvance(name) + m_unit / 2;
            m_layout.labels.push_back({{ends[index].series},
                                       name,
                                       QRectF(plot.right() + m_unit / 2, centers[index] - m_line / 2, width, m_line),
                                       true});
        }
        return true;
    }

    /// Centres of the end labels from top to bottom, a line apart and inside the plot.
    std::vector<double> spread(const std::vector<CurveEnd>& ends) const {
        const QRectF& plot = m_layout.plot;
        std::vector<double> centers;
        for (const CurveEnd& end : ends) {
            const double wanted = plot.bottom() - end.y * plot.height();
            const double least = centers.empty() ? plot.top() : centers.back() + m_line;
            centers.push_back(std::max(wanted, least));
        }
        double most = plot.bottom();
        for (auto center = centers.rbegin(); center != centers.rend(); ++center) {
            *center = std::min(*center, most);
            most = *center - m_line;
        }
        return centers;
    }

    double placeLegend(double top) {
        constexpr double kMostLines = 2;
        const std::vector<SeriesLabel> single = flowed(singleEntries(), top);
        const bool isLong = single.back().area.top() - top >= kMostLines * m_line;
        m_layout.labels = isLong ? limited(groupEntries(), top) : single;
        return m_layout.labels.back().area.bottom() + m_unit / 2;
    }

    /// The entries in as many lines as leave the plot its room.
    std::vector<SeriesLabel> limited(const std::vector<SeriesLabel>& entries, double top) const {
        const double bottom = top + std::max(3 * m_line, kLargestLegendShare * m_area.height());
        std::vector<SeriesLabel> labels = flowed(entries, top);
        for (std::size_t kept = entries.size() - 1; labels.back().area.bottom() > bottom && kept > 1;) {
            --kept;
            SeriesLabel rest;
            rest.hasSwatch = false;
            for (std::size_t index = kept; index < entries.size(); ++index) {
                rest.series.insert(rest.series.end(), entries[index].series.begin(), entries[index].series.end());
            }
            rest.text = QCoreApplication::translate("Charts", "and %1 more").arg(entries.size() - kept);
            labels.assign(entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(kept));
            labels.push_back(std::move(rest));
            labels = flowed(std::move(labels), top);
        }
        return labels;
    }

    std::vector<SeriesLabel> singleEntries() const {
        std::vector<SeriesLabel> entries;
        for (std::size_t index = 0; index < m_spec.series.size(); ++index) {
            if (isNamed(m_spec.series[index])) {
                entries.push_back({{static_cast<int>(index)}, m_spec.series[index].name, {}, false});
            }
        }
        return entries;
    }

    std::vector<SeriesLabel> groupEntries() const {
        std::vector<SeriesLabel> entries;
        for (const SeriesLabel& single : singleEntries()) {
            const QString& group = seriesOf(single).group;
            const auto same = std::find_if(entries.begin(), entries.end(), [&](const SeriesLabel& entry) {
                return !group.isEmpty() && seriesOf(entry).group == group;
            });
            if (same == entries.end()) {
                entries.push_back(single);
            } else {
                same->series.push_back(single.series.front());
            }
        }
        for (SeriesLabel& entry : entries) {
            if (entry.series.size() > 1) {
                entry.text = groupName(seriesOf(entry), m_spec.series[static_cast<std::size_t>(entry.series.back())]);
            }
        }
        return entries;
    }

    const ChartSeries& seriesOf(const SeriesLabel& label) const {
        return m_spec.series[static_cast<std::size_t>(label.series.front())];
    }

    /// "Window 64 … 512 · PPL 20.07 … 14.55"
    static QString groupName(const ChartSeries& first, const ChartSeries& last) {
        QString name = first.group;
        for (qsizetype index = 0; index < std::min(first.details.size(), last.details.size()); ++index) {
            name += index == 0 ? QStringLiteral(" ") : QStringLiteral(" · ");
            name += first.details[index] == last.details[index]
                        ? first.details[index]
                        : QStringLiteral("%1 – %2").arg(first.details[index], last.details[index]);
        }
        return name;
    }

    /// The entries in lines from the left, the first line at `top`.
    std::vector<SeriesLabel> flowed(std::vector<SeriesLabel> entries, double top) const {
        double x = m_area.left();
        double y = top;
        for (SeriesLabel& entry : entries) {
            entry.text = m_metrics.elidedText(entry.text, Qt::ElideMiddle, m_area.width() - swatchWidth() - m_unit);
            const double width = swatchWidth() + m_metrics.horizontalAdvance(entry.text) + m_unit;
            if (x > m_area.left() && x + width > m_area.right()) {
                x = m_area.left();
                y += m_line;
            }
            entry.area = QRectF(x, y, width, m_line);
            x += width + m_unit;
        }
        return entries;
    }

    const ChartSpec& m_spec;
    const AxisRange m_x;
    const AxisRange m_y;
    const QRectF m_area;
    const QFontMetricsF m_metrics;
    const double m_line;
    const double m_unit;
    ChartLayout m_layout;
};

}  // namespace

ChartLayout layOutChart(const ChartSpec& spec, const AxisRange& x, const AxisRange& y, const QRectF& area,
                        const QFontMetricsF& metrics) {
    return Layouter(spec, x, y, area, metrics).run();
}

}  // namespace kvist::ui
