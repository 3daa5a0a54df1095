// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings.h"

#include <QDir>
#include <QStandardPaths>

namespace kvist::ui {

namespace {

constexpr int kMostRecent = 8;
const auto kTheme = QStringLiteral("window/theme");
const QStringList kThemeNames{QStringLiteral("system"), QStringLiteral("light"), QStringLiteral("dark")};

}  // namespace

QString Settings::exportFolder() const {
    const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    const QString folder = m_settings.value(QStringLiteral("export/folder"), documents).toString();
    return QDir(folder).exists() ? folder : QDir::homePath();
}

void Settings::setUnsavedSweep(const QString& json, const QString& path) {
    m_settings.setValue(QStringLiteral("sweep/unsaved"), json);
    m_settings.setValue(QStringLiteral("sweep/path"), path);
}

ThemeChoice Settings::theme() const {
    const auto index = kThemeNames.indexOf(m_settings.value(kTheme).toString());
    return index < 0 ? ThemeChoice::System : static_cast<ThemeChoice>(index);
}

void Settings::setTheme(ThemeChoice choice) {
    m_settings.setValue(kTheme, kThemeNames[static_cast<int>(choice)]);
}

void Settings::setWindow(const QByteArray& geometry, const QByteArray& layout, const QByteArray& tableHeader) {
    m_settings.setValue(QStringLiteral("window/geometry"), geometry);
    m_settings.setValue(QStringLiteral("window/layout"), layout);
    m_settings.setValue(QStringLiteral("window/table"), tableHeader);
}

void Settings::addRecent(const char* key, const QString& path) {
    QStringList paths = list(key);
    paths.removeAll(path);
    paths.prepend(path);
    m_settings.setValue(QLatin1String(key), paths.mid(0, kMostRecent));
}

}  // namespace kvist::ui
