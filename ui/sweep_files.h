// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMenu>
#include <QObject>
#include <QStringList>

#include "experiments/sweep.h"
#include "ui/docks/sweep_panel.h"
#include "ui/settings.h"
#include "ui/sweep_history.h"

namespace kvist::ui {

/// New, open, save and recent of sweep files, and the presets. Knows which file the form shows and whether it
/// was edited since.
class SweepFiles : public QObject {
    Q_OBJECT
public:
    SweepFiles(SweepPanel& panel, Settings& settings, QWidget* window);

    /// "Budget curve", with the file's name where there is one.
    QString title() const;
    bool isModified() const { return m_history.current().isModified; }

    /// The file where one is given and can be read, otherwise what was being edited when the window closed last time,
    /// otherwise a new sweep.
    void openFirst(const QString& path);
    /// Remembers what is not saved for the next start.
    void keepUnsaved();

    void newSweep();
    void askOpen();
    /// False where the file cannot be read; what is shown stays then.
    bool open(const QString& path);
    void save();
    void askSaveAs();
    void saveAs(const QString& path);

    /// Steps through what the form showed, edits and other sweeps alike.
    void undo();
    void redo();
    bool canUndo() const { return m_history.canUndo(); }
    bool canRedo() const { return m_history.canRedo(); }

    /// Fills the menu each time it is opened.
    void setPresetsMenu(QMenu* menu);
    void setRecentMenu(QMenu* menu);

Q_SIGNALS:
    /// Title, modified, or what undo and redo can do.
    void stateChanged();
    void fileRefused(const QString& message);
    void saved(const QString& path);
    /// Another sweep took the place of one that was edited and not saved.
    void replaced(const QString& title);

private:
    const QString& file() const { return m_history.current().path; }
    void show(const experiments::Sweep& sweep, const QString& path, bool isEdited = false);
    void openPreset(const QString& path);

    SweepPanel& m_panel;
    Settings& m_settings;
    QWidget* m_window;
    SweepHistory m_history;
};

}  // namespace kvist::ui
