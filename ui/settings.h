// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QSettings>
#include <QStringList>

#include "ui/style/theme.h"

namespace kvist::ui {

/// What the program remembers between two starts. Each value has one name and one default, here.
class Settings {
public:
    QStringList recentModels() const { return list("recent/models"); }
    void addRecentModel(const QString& path) { addRecent("recent/models", path); }
    QStringList recentTexts() const { return list("recent/texts"); }
    void addRecentText(const QString& path) { addRecent("recent/texts", path); }
    QStringList recentSweeps() const { return list("recent/sweeps"); }
    void addRecentSweep(const QString& path) { addRecent("recent/sweeps", path); }

    QString storePath() const { return m_settings.value(QStringLiteral("store/path")).toString(); }
    void setStorePath(const QString& path) { m_settings.setValue(QStringLiteral("store/path"), path); }

    /// JSON of the sweep that was being edited and not saved when the window closed, and its file; empty texts: none.
    QString unsavedSweep() const { return m_settings.value(QStringLiteral("sweep/unsaved")).toString(); }
    QString unsavedPath() const { return m_settings.value(QStringLiteral("sweep/path")).toString(); }
    void setUnsavedSweep(const QString& json, const QString& path);

    QString exportFolder() const;
    void setExportFolder(const QString& folder) { m_settings.setValue(QStringLiteral("export/folder"), folder); }

    ThemeChoice theme() const;
    void setTheme(ThemeChoice choice);

    QByteArray geometry() const { return m_settings.value(QStringLiteral("window/geometry")).toByteArray(); }
    QByteArray layout() const { return m_settings.value(QStringLiteral("window/layout")).toByteArray(); }
    QByteArray tableHeader() const { return m_settings.value(QStringLiteral("window/table")).toByteArray(); }
    void setWindow(const QByteArray& geometry, const QByteArray& layout, const QByteArray& tableHeader);

private:
    QStringList list(const char* key) const { return m_settings.value(QLatin1String(key)).toStringList(); }
    void addRecent(const char* key, const QString& path);

    QSettings m_settings;
};

}  // namespace kvist::ui
