// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/theme_colors.h"

#include <QGuiApplication>
#include <algorithm>
#include <cmath>

namespace kvist::ui {

namespace {

ThemeColors makeLight() {
    ThemeColors colors;
    colors.window = "#F6F8FA";
    colors.base = "#FFFFFF";
    colors.text = "#1F2328";
    colors.muted = "#656D76";
    colors.border = "#D0D7DE";
    colors.grid = "#EAEEF2";
    colors.accent = "#0969DA";
    colors.accentText = "#FFFFFF";
    colors.selection = "#D6E8FB";
    colors.warning = "#9A6700";
    colors.error = "#CF222E";
    return colors;
}

ThemeColors makeDark() {
    ThemeColors colors;
    colors.window = "#1C2128";
    colors.base = "#22272E";
    colors.text = "#D6DEE7";
    colors.muted = "#8B949E";
    colors.border = "#373E47";
    colors.grid = "#2D333B";
    colors.accent = "#539BF5";
    colors.accentText = "#1C2128";
    colors.selection = "#2F4560";
    colors.warning = "#C69026";
    colors.error = "#F47067";
    colors.isDark = true;
    return colors;
}

double linear(double channel) {
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& color) {
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

}  // namespace

const ThemeColors& lightColors() {
    static const ThemeColors colors = makeLight();
    return colors;
}

const ThemeColors& darkColors() {
    static const ThemeColors colors = makeDark();
    return colors;
}

const ThemeColors& currentColors() {
    return QGuiApplication::palette().color(QPalette::Window).lightnessF() < 0.5 ? darkColors() : lightColors();
}

QPalette paletteFor(const ThemeColors& colors) {
    QPalette palette;
    palette.setColor(QPalette::Window, colors.window);
    palette.setColor(QPalette::WindowText, colors.text);
    palette.setColor(QPalette::Base, colors.base);
    palette.setColor(QPalette::AlternateBase, colors.window);
    palette.setColor(QPalette::Text, colors.text);
    palette.setColor(QPalette::PlaceholderText, colors.muted);
    palette.setColor(QPalette::Button, colors.window);
    palette.setColor(QPalette::ButtonText, colors.text);
    palette.setColor(QPalette::BrightText, colors.error);
    palette.setColor(QPalette::Highlight, colors.accent);
    palette.setColor(QPalette::HighlightedText, colors.accentText);
    palette.setColor(QPalette::Link, colors.accent);
    palette.setColor(QPalette::LinkVisited, colors.accent);
    palette.setColor(QPalette::ToolTipBase, colors.base);
    palette.setColor(QPalette::ToolTipText, colors.text);
    palette.setColor(QPalette::Light, colors.isDark ? colors.border : colors.base);
    palette.setColor(QPalette::Midlight, colors.grid);
    palette.setColor(QPalette::Mid, colors.border);
    palette.setColor(QPalette::Dark, colors.isDark ? colors.window.darker(130) : colors.muted);
    palette.setColor(QPalette::Shadow, colors.isDark ? QColor(Qt::black) : colors.border);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText}) {
        palette.setColor(QPalette::Disabled, role, colors.muted);
    }
    palette.setColor(QPalette::Disabled, QPalette::Highlight, colors.border);
    return palette;
}

double contrastRatio(const QColor& a, const QColor& b) {
    const double first = luminance(a);
    const double second = luminance(b);
    return (std::max(first, second) + 0.05) / (std::min(first, second) + 0.05);
}

}  // namespace kvist::ui
