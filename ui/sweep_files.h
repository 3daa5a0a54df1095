// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMenu>
#include <QObject>
#include <QStringList>

#include "experiments/sweep.h"
#include "ui/docks/sweep_panel.h"
#include "ui/settings.h"

namespace kvist::ui {

/// New, open, save and recent of sweep files, and the presets. Knows which file the form shows and whether it
/// was edited since.
class SweepFiles : public QObject {
    Q_OBJECT
public:
    SweepFiles(SweepPanel& panel, Settings& settings, QWidget* window);

    /// "Budget curve", with the file's name where there is one.
    QString title() const;
    bool isModified() const { return m_isModified; }

    void newSweep();
    void askOpen();
    void open(const QString& path);
    void save();
    void askSaveAs();
    void saveAs(const QString& path);

    /// Fills the menu each time it is opened.
    void setPresetsMenu(QMenu* menu);
    void setRecentMenu(QMenu* menu);

Q_SIGNALS:
    void titleChanged();
    void fileRefused(const QString& message);
    void saved(const QString& path);

private:
    void show(const experiments::Sweep& sweep, const QString& path);
    void openPreset(const QString& path);

    SweepPanel& m_panel;
    Settings& m_settings;
    QWidget* m_window;
    QString m_path;
    bool m_isModified = false;
};

}  // namespace kvist::ui
