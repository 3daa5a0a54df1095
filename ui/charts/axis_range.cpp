// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/axis_range.h"

#include <algorithm>
#include <cmath>

namespace kvist::ui {

namespace {

constexpr double kMargin = 0.06;
constexpr double kSmallestRelativeLength = 1e-9;

double forward(AxisScale scale, double value) {
    return scale == AxisScale::Logarithmic ? std::log2(value) : value;
}

double backward(AxisScale scale, double value) {
    return scale == AxisScale::Logarithmic ? std::exp2(value) : value;
}

AxisRange fromTransformed(AxisScale scale, double low, double high) {
    const double least = std::max(std::abs(low), std::abs(high)) * kSmallestRelativeLength;
    if (high - low < least) {
        const double middle = (low + high) / 2;
        low = middle - least / 2;
        high = middle + least / 2;
    }
    if (scale == AxisScale::Logarithmic) {
        low = std::clamp(low, -1000.0, 1000.0);
        high = std::clamp(high, low + 1e-6, 1001.0);
    }
    return {backward(scale, low), backward(scale, high)};
}

class Extent {
public:
    explicit Extent(const ChartAxis& axis) : m_axis(axis) {}

    void add(double value) {
        if (!std::isfinite(value) || (m_axis.scale == AxisScale::Logarithmic && value <= 0)) {
            return;
        }
        m_low = std::min(m_low, value);
        m_high = std::max(m_high, value);
    }

    AxisRange padded(double lowMargin, double highMargin) const {
        const bool logarithmic = m_axis.scale == AxisScale::Logarithmic;
        if (m_low > m_high) {
            return logarithmic ? AxisRange{1, 1024} : AxisRange{0, 1};
        }
        double low = forward(m_axis.scale, m_axis.fromZero && !logarithmic ? std::min(0.0, m_low) : m_low);
        double high = forward(m_axis.scale, m_high);
        double length = high - low;
        if (length <= 0) {
            length = logarithmic ? 2 : (high == 0 ? 2 : std::abs(high) * 0.2);
            low -= length / 2;
            high += length / 2;
        }
        const bool startsAtZero = m_axis.fromZero && !logarithmic && low == 0;
        return fromTransformed(m_axis.scale, startsAtZero ? 0 : low - length * lowMargin, high + length * highMargin);
    }

private:
    const ChartAxis& m_axis;
    double m_low = std::numeric_limits<double>::infinity();
    double m_high = -std::numeric_limits<double>::infinity();
};

}  // namespace

AxisRange rangeOfX(const ChartSpec& spec) {
    Extent extent(spec.x);
    for (const ChartSeries& series : spec.series) {
        for (const ChartPoint& point : series.points) {
            if (std::isfinite(point.y)) {
                extent.add(point.x);
            }
        }
    }
    return extent.padded(kMargin / 2, kMargin / 2);
}

AxisRange rangeOfY(const ChartSpec& spec) {
    Extent extent(spec.y);
    for (const ChartSeries& series : spec.series) {
        for (const ChartPoint& point : series.points) {
            extent.add(point.y);
            if (std::isfinite(point.error)) {
                const double low = point.y - point.error;
                extent.add(spec.y.fromZero && point.y >= 0 ? std::max(0.0, low) : low);
                extent.add(point.y + point.error);
            }
        }
    }
    return extent.padded(kMargin, kMargin);
}

AxisRange zoomed(const AxisRange& range, AxisScale scale, double anchor, double factor) {
    const double low = forward(scale, range.minimum);
    const double high = forward(scale, range.maximum);
    const double centre = forward(scale, anchor);
    return fromTransformed(scale, centre - (centre - low) * factor, centre + (high - centre) * factor);
}

AxisRange panned(const AxisRange& range, AxisScale scale, double share) {
    const double low = forward(scale, range.minimum);
    const double high = forward(scale, range.maximum);
    const double step = (high - low) * share;
    return fromTransformed(scale, low + step, high + step);
}

double shareOf(const AxisRange& range, AxisScale scale, double value) {
    if (scale == AxisScale::Logarithmic && value <= 0) {
        return kNotMeasured;
    }
    const double low = forward(scale, range.minimum);
    return (forward(scale, value) - low) / (forward(scale, range.maximum) - low);
}

double valueAt(const AxisRange& range, AxisScale scale, double share) {
    const double low = forward(scale, range.minimum);
    return backward(scale, low + share * (forward(scale, range.maximum) - low));
}

}  // namespace kvist::ui
