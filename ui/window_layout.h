// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDockWidget>
#include <QMainWindow>
#include <QMenu>
#include <vector>

#include "ui/settings.h"

namespace kvist::ui {

/// The docks of the window: where they are at first, and back there, and where the user left them.
class WindowLayout {
public:
    /// Side docks take the corners; `menu` gets an entry for each dock.
    WindowLayout(QMainWindow& window, QMenu& menu);

    /// Usual width in characters and height in half lines; 0 leaves it to the others.
    struct Extent {
        int width = 0;
        int height = 0;
    };
    QDockWidget* addDock(const QString& id, const QString& title, QWidget* content, Qt::DockWidgetArea area,
                         Extent extent);

    void showUsual();
    void restore(const Settings& settings);
    QByteArray state() const;

private:
    struct Dock {
        QDockWidget* widget;
        Qt::DockWidgetArea area;
        Extent extent;
    };
    void resize(Qt::Orientation orientation);

    QMainWindow& m_window;
    QMenu& m_menu;
    std::vector<Dock> m_docks;
};

}  // namespace kvist::ui
