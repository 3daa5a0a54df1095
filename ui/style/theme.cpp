// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/theme.h"

#include <QApplication>
#include <QFile>

#include "ui/style/theme_colors.h"
#include "ui/style/widget_style.h"

namespace kvist::ui {

namespace {

QString styleSheetFor(const ThemeColors& colors) {
    QFile file(QStringLiteral(":/kvist/themes/kvist.qss"));
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    QString sheet = QString::fromUtf8(file.readAll());
    const std::pair<QLatin1String, QColor> tokens[] = {
        {QLatin1String("@window"), colors.window},       {QLatin1String("@base"), colors.base},
        {QLatin1String("@text"), colors.text},           {QLatin1String("@muted"), colors.muted},
        {QLatin1String("@border"), colors.border},       {QLatin1String("@grid"), colors.grid},
        {QLatin1String("@accent"), colors.accent},       {QLatin1String("@onaccent"), colors.accentText},
        {QLatin1String("@selection"), colors.selection}, {QLatin1String("@warning"), colors.warning},
        {QLatin1String("@error"), colors.error},
    };
    for (const auto& [token, color] : tokens) {
        sheet.replace(token + QLatin1Char(';'), color.name() + QLatin1Char(';'));
    }
    return sheet;
}

}  // namespace

Theme::Theme(QObject* parent) : QObject(parent) {
    QApplication::setStyle(new WidgetStyle);
    connect(&m_portal, &ColorSchemePortal::preferenceChanged, this, &Theme::apply);
    apply();
}

void Theme::setChoice(ThemeChoice choice) {
    m_choice = choice;
    apply();
}

void Theme::apply() {
    const bool dark = m_choice == ThemeChoice::Dark || (m_choice == ThemeChoice::System && m_portal.prefersDark());
    const ThemeColors& colors = dark ? darkColors() : lightColors();
    QApplication::setPalette(paletteFor(colors));
    qApp->setStyleSheet(styleSheetFor(colors));
}

}  // namespace kvist::ui
