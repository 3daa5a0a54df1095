// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/series_style.h"

#include <array>

namespace kvist::ui {

namespace {

constexpr std::array<QRgb, kSeriesColorCount> kColors{0xFF0072B2, 0xFFD55E00, 0xFF009E73,
                                                      0xFFCC79A7, 0xFFE69F00, 0xFF56B4E9};
constexpr double kLeastDarkContrast = 3.0;

QColor mixedWithWhite(const QColor& color, double share) {
    const auto mix = [share](float channel) { return static_cast<float>(channel + (1 - channel) * share); };
    return QColor::fromRgbF(mix(color.redF()), mix(color.greenF()), mix(color.blueF()));
}

}  // namespace

QColor seriesColor(const SeriesStyle& style, const ThemeColors& colors) {
    if (style.isBaseline) {
        return colors.muted;
    }
    const QColor color = QColor::fromRgb(kColors[static_cast<std::size_t>(style.color) % kColors.size()]);
    if (!colors.isDark) {
        return color;
    }
    for (double share = 0; share < 1; share += 0.05) {
        const QColor lighter = mixedWithWhite(color, share);
        if (contrastRatio(lighter, colors.base) >= kLeastDarkContrast) {
            return lighter;
        }
    }
    return Qt::white;
}

MarkerShape seriesMarker(const SeriesStyle& style) {
    // Series of one colour differ in their marks.
    const int round = style.color / kSeriesColorCount;
    return static_cast<MarkerShape>((style.color % kSeriesColorCount + round + style.variant) % 4);
}

Qt::PenStyle seriesDash(const SeriesStyle& style) {
    static constexpr std::array kDashes{Qt::SolidLine, Qt::DashLine, Qt::DashDotLine, Qt::DashDotDotLine, Qt::DotLine};
    if (style.isBaseline) {
        return Qt::DashLine;
    }
    const auto index = static_cast<std::size_t>(style.color / kSeriesColorCount + style.variant);
    return kDashes[index % kDashes.size()];
}

QPen seriesPen(const SeriesStyle& style, const ThemeColors& colors, qreal width) {
    return QPen(seriesColor(style, colors), width, seriesDash(style), Qt::FlatCap, Qt::RoundJoin);
}

QPen rooflinePen(const ThemeColors& colors, qreal width) {
    return QPen(colors.muted, width, Qt::DotLine, Qt::FlatCap, Qt::RoundJoin);
}

}  // namespace kvist::ui
