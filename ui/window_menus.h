// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMainWindow>
#include <QMenu>

#include "ui/actions.h"

namespace kvist::ui {

/// Menus that are filled by others.
struct WindowMenus {
    QMenu* presets;
    QMenu* recentSweeps;
    QMenu* docks;
};

/// Puts the actions into the menu bar and the tool bar of the window.
WindowMenus buildMenus(QMainWindow& window, const Actions& actions);

}  // namespace kvist::ui
