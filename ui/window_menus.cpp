// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window_menus.h"

#include <QCoreApplication>
#include <QMenuBar>
#include <QToolBar>
#include <QToolButton>

#include "ui/style/icons.h"
#include "ui/style/metrics.h"

namespace kvist::ui {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("Menus", text);
}

void buildToolBar(QMainWindow& window, const Actions& actions, QMenu* exportMenu) {
    QToolBar* bar = window.addToolBar(tr("Tool bar"));
    bar->setObjectName(QStringLiteral("toolBar"));
    bar->setMovable(false);
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    bar->setIconSize(QSize(spacingUnit(bar) * 2, spacingUnit(bar) * 2));
    bar->addActions({actions.newSweep, actions.openSweep, actions.saveSweep});
    bar->addSeparator();
    bar->addActions({actions.start, actions.pause, actions.cancelRun, actions.cancelSweep});
    auto* spacer = new QWidget(bar);
    spacer->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(spacer);
    auto* exporting = new QToolButton(bar);
    exporting->setText(tr("Export"));
    exporting->setIcon(themedIcon(QStringLiteral("export")));
    exporting->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    exporting->setPopupMode(QToolButton::InstantPopup);
    exporting->setMenu(exportMenu);
    exporting->setToolTip(tr("Save charts and tables"));
    bar->addWidget(exporting);
}

}  // namespace

WindowMenus buildMenus(QMainWindow& window, const Actions& actions) {
    WindowMenus menus{};
    QMenu* file = window.menuBar()->addMenu(tr("&File"));
    file->addActions({actions.newStore, actions.openStore, actions.saveStoreCopy});
    file->addSeparator();
    QMenu* exporting = file->addMenu(themedIcon(QStringLiteral("export")), tr("&Export"));
    exporting->addActions({actions.exportPicture1, actions.exportPicture2, actions.exportPicture4, actions.exportSvg,
                           actions.exportChartCsv});
    exporting->addSeparator();
    exporting->addActions({actions.exportAllCharts, actions.exportTable, actions.exportReport});
    file->addSeparator();
    file->addAction(actions.quit);

    QMenu* edit = window.menuBar()->addMenu(tr("&Edit"));
    edit->addActions({actions.undo, actions.redo});
    edit->addSeparator();
    edit->addActions({actions.copyTsv, actions.copyCsv, actions.copyMarkdown, actions.copyPicture});
    edit->addSeparator();
    edit->addAction(actions.filter);

    QMenu* sweep = window.menuBar()->addMenu(tr("&Sweep"));
    sweep->addActions({actions.newSweep, actions.openSweep});
    menus.presets = sweep->addMenu(themedIcon(QStringLiteral("text")), tr("&Presets"));
    menus.recentSweeps = sweep->addMenu(themedIcon(QStringLiteral("folder")), tr("&Recent"));
    sweep->addSeparator();
    sweep->addActions({actions.saveSweep, actions.saveSweepAs});

    QMenu* run = window.menuBar()->addMenu(tr("&Run"));
    run->addActions({actions.start, actions.pause});
    run->addSeparator();
    run->addActions({actions.cancelRun, actions.cancelSweep, actions.retry, actions.removeRuns});
    run->addSeparator();
    run->addActions({actions.runNext, actions.runLast});

    QMenu* view = window.menuBar()->addMenu(tr("&View"));
    menus.docks = view->addMenu(themedIcon(QStringLiteral("layout")), tr("&Docks"));
    QMenu* theme = view->addMenu(themedIcon(QStringLiteral("theme")), tr("&Colours"));
    theme->addActions(actions.theme->actions());
    view->addSeparator();
    view->addAction(actions.restoreLayout);

    QMenu* help = window.menuBar()->addMenu(tr("&Help"));
    help->addActions({actions.help, actions.about});

    buildToolBar(window, actions, exporting);
    return menus;
}

}  // namespace kvist::ui
