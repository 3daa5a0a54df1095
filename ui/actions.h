// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QActionGroup>
#include <QWidget>

namespace kvist::ui {

/// Every action of the window, each once, with icon, shortcut and tip. Menus, tool bar and context menus show
/// them; the window connects them.
struct Actions {
    explicit Actions(QWidget* window);

    QAction* newSweep;
    QAction* openSweep;
    QAction* saveSweep;
    QAction* saveSweepAs;
    QAction* newStore;
    QAction* openStore;
    QAction* saveStoreCopy;
    QAction* exportPicture1;
    QAction* exportPicture2;
    QAction* exportPicture4;
    QAction* exportSvg;
    QAction* exportChartCsv;
    QAction* exportAllCharts;
    QAction* exportTable;
    QAction* exportReport;
    QAction* quit;

    QAction* undo;
    QAction* redo;
    QAction* copyTsv;
    QAction* copyCsv;
    QAction* copyMarkdown;
    QAction* copyPicture;
    QAction* filter;

    QAction* start;
    QAction* pause;  ///< checked: paused
    QAction* cancelRun;
    QAction* cancelSweep;
    QAction* retry;
    QAction* removeRuns;
    QAction* runNext;
    QAction* runLast;

    QActionGroup* theme;  ///< data(): the ThemeChoice
    QAction* restoreLayout;

    QAction* help;
    QAction* about;
};

}  // namespace kvist::ui
