// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QStatusBar>
#include <QVBoxLayout>

#include "experiments/sweep_controller.h"
#include "ui/dialogs/about_dialog.h"
#include "ui/dialogs/close_dialog.h"
#include "ui/dialogs/help_dialog.h"
#include "ui/docks/chart_area.h"
#include "ui/docks/details_panel.h"
#include "ui/docks/log_panel.h"
#include "ui/docks/runs_panel.h"
#include "ui/docks/sweep_panel.h"
#include "ui/report/export_center.h"
#include "ui/run_control.h"
#include "ui/run_feed.h"
#include "ui/store_files.h"
#include "ui/style/icons.h"
#include "ui/style/metrics.h"
#include "ui/sweep_files.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/progress_strip.h"
#include "ui/window_menus.h"

namespace kvist::ui {

using experiments::SweepController;

namespace {

/// Changes when docks or tool bars get other names or meanings, so that an old layout is not applied.
constexpr int kLayoutVersion = 1;

}  // namespace

/// Owns what the window is made of and connects it. Members are in the order in which they need each other.
class MainWindow::Private {
public:
    Private(MainWindow& owner, SweepController& theController, Theme& theTheme, const WindowOptions& options);

    void buildDocks();
    QDockWidget* addDock(const QString& id, const QString& title, QWidget* content, Qt::DockWidgetArea area);
    void connectActions();
    void connectReports();
    void showUsualLayout();
    void restoreLayout();
    void refreshTitle();
    void showAbout();
    bool hasUnfinishedRuns() const;

    MainWindow& window;
    SweepController& controller;
    Theme& theme;
    Settings settings;
    Actions actions;
    WindowMenus menus;
    Selection selection;
    RunTableModel table;
    RunFeed feed;
    MessageBar* messages;
    ChartArea* charts;
    SweepPanel* sweep;
    RunsPanel* runs;
    DetailsPanel* details;
    LogPanel* log;
    RunControl control;
    ExportCenter exports;
    SweepFiles sweepFiles;
    StoreFiles storeFiles;
    HelpDialog* help = nullptr;
    QDockWidget* sweepDock = nullptr;
    QDockWidget* runsDock = nullptr;
    QDockWidget* detailsDock = nullptr;
    QDockWidget* logDock = nullptr;
    MachineInfo machine;
    bool closesWhenDone = false;
};

MainWindow::Private::Private(MainWindow& owner, SweepController& theController, Theme& theTheme,
                             const WindowOptions& options)
    : window(owner),
      controller(theController),
      theme(theTheme),
      actions(&owner),
      menus(buildMenus(owner, actions)),
      feed(theController, table, selection),
      messages(new MessageBar(&owner)),
      charts(new ChartArea(feed, &owner)),
      sweep(new SweepPanel(theController, settings, options.resources, actions.start, &owner)),
      runs(new RunsPanel(table, selection, &owner)),
      details(new DetailsPanel(table, selection, &owner)),
      log(new LogPanel(theController, &owner)),
      control(theController, actions, selection, *messages, nullptr),
      exports(settings, &owner),
      sweepFiles(*sweep, settings, &owner),
      storeFiles(theController, settings, &owner) {
    buildDocks();
    connectActions();
    connectReports();
    sweepFiles.setPresetsMenu(menus.presets);
    sweepFiles.setRecentMenu(menus.recentSweeps);
    runs->addMenuActions({actions.retry, actions.cancelRun, actions.copyTsv, actions.copyCsv, actions.copyMarkdown});
    theme.setChoice(settings.theme());
    actions.theme->actions()[static_cast<int>(theme.choice())]->setChecked(true);
    restoreLayout();
    if (options.sweepFile.isEmpty()) {
        sweepFiles.newSweep();
    } else {
        sweepFiles.open(options.sweepFile);
    }
    storeFiles.openFirst(options.storePath);
}

void MainWindow::Private::buildDocks() {
    auto* central = new QWidget(&window);
    auto* layout = new QVBoxLayout(central);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(messages);
    layout->addWidget(charts, 1);
    window.setCentralWidget(central);
    window.setDockOptions(QMainWindow::AnimatedDocks | QMainWindow::AllowTabbedDocks | QMainWindow::AllowNestedDocks);
    for (const Qt::Corner corner : {Qt::TopLeftCorner, Qt::BottomLeftCorner}) {
        window.setCorner(corner, Qt::LeftDockWidgetArea);
    }
    for (const Qt::Corner corner : {Qt::TopRightCorner, Qt::BottomRightCorner}) {
        window.setCorner(corner, Qt::RightDockWidgetArea);
    }
    sweepDock = addDock(QStringLiteral("sweepDock"), tr("Sweep"), sweep, Qt::LeftDockWidgetArea);
    runsDock = addDock(QStringLiteral("runsDock"), tr("Runs"), runs, Qt::BottomDockWidgetArea);
    detailsDock = addDock(QStringLiteral("detailsDock"), tr("Run details"), details, Qt::RightDockWidgetArea);
    logDock = addDock(QStringLiteral("logDock"), tr("Log"), log, Qt::RightDockWidgetArea);
    window.statusBar()->setSizeGripEnabled(false);
    window.statusBar()->addWidget(new ProgressStrip(controller, &window), 1);
}

QDockWidget* MainWindow::Private::addDock(const QString& id, const QString& title, QWidget* content,
                                          Qt::DockWidgetArea area) {
    auto* dock = new QDockWidget(title, &window);
    dock->setObjectName(id);
    dock->setWidget(content);
    window.addDockWidget(area, dock);
    menus.docks->addAction(dock->toggleViewAction());
    return dock;
}

void MainWindow::Private::connectActions() {
    const auto on = [this](QAction* action, auto slot) {
        QObject::connect(action, &QAction::triggered, &window, slot);
    };
    on(actions.newSweep, [this] { sweepFiles.newSweep(); });
    on(actions.openSweep, [this] { sweepFiles.askOpen(); });
    on(actions.saveSweep, [this] { sweepFiles.save(); });
    on(actions.saveSweepAs, [this] { sweepFiles.askSaveAs(); });
    on(actions.newStore, [this] { storeFiles.askNew(); });
    on(actions.openStore, [this] { storeFiles.askOpen(); });
    on(actions.exportPicture1, [this] { exports.askPicture(charts->currentSpec(), 1); });
    on(actions.exportPicture2, [this] { exports.askPicture(charts->currentSpec(), 2); });
    on(actions.exportPicture4, [this] { exports.askPicture(charts->currentSpec(), 4); });
    on(actions.exportChartCsv, [this] { exports.askChartCsv(charts->currentSpec()); });
    on(actions.exportAllCharts, [this] { exports.askAllCharts(charts->specs()); });
    on(actions.exportTable, [this] { exports.askTable(table.records()); });
    on(actions.quit, [this] { window.close(); });
    on(actions.copyTsv, [this] { runs->copy(TableFormat::Tsv); });
    on(actions.copyCsv, [this] { runs->copy(TableFormat::Csv); });
    on(actions.copyMarkdown, [this] { runs->copy(TableFormat::Markdown); });
    on(actions.filter, [this] {
        runsDock->show();
        runs->filter()->setFocus(Qt::ShortcutFocusReason);
        runs->filter()->selectAll();
    });
    on(actions.start, [this] { sweep->startSweep(); });
    on(actions.restoreLayout, [this] { showUsualLayout(); });
    on(actions.about, [this] { showAbout(); });
    on(actions.help, [this] {
        if (help == nullptr) {
            help = new HelpDialog(&window);
        }
        help->show();
        help->raise();
    });
    QObject::connect(actions.theme, &QActionGroup::triggered, &window, [this](const QAction* action) {
        const auto choice = static_cast<ThemeChoice>(action->data().toInt());
        theme.setChoice(choice);
        settings.setTheme(choice);
    });
}

void MainWindow::Private::connectReports() {
    QObject::connect(charts, &ChartArea::pictureExportRequested, &exports, &ExportCenter::askPicture);
    QObject::connect(charts, &ChartArea::csvExportRequested, &exports, &ExportCenter::askChartCsv);
    QObject::connect(&exports, &ExportCenter::exported, &window, [this](const QString& path) {
        log->addLine(tr("Wrote %1").arg(path));
        messages->showMessage(QStringLiteral("export"), MessageKind::Info, tr("Wrote %1").arg(path));
    });
    QObject::connect(&exports, &ExportCenter::exportRefused, &window, [this](const QString& message) {
        messages->showMessage(QStringLiteral("export"), MessageKind::Error, message);
    });
    const auto tellFile = [this](const QString& message) {
        messages->showMessage(QStringLiteral("file"), MessageKind::Error, message);
    };
    QObject::connect(&sweepFiles, &SweepFiles::fileRefused, &window, tellFile);
    QObject::connect(&storeFiles, &StoreFiles::fileRefused, &window, tellFile);
    QObject::connect(&sweepFiles, &SweepFiles::titleChanged, &window, [this] { refreshTitle(); });
    QObject::connect(&feed, &RunFeed::updated, details, &DetailsPanel::refresh);
    QObject::connect(&controller, &SweepController::planned, &window,
                     [this](const experiments::SweepPlan& plan) { machine = plan.machine; });
    QObject::connect(&controller, &SweepController::sweepFinished, &window, [this] {
        if (closesWhenDone) {
            window.close();
        } else if (!window.isActiveWindow()) {
            QApplication::alert(&window);
        }
    });
}

void MainWindow::Private::showUsualLayout() {
    for (QDockWidget* dock : {sweepDock, runsDock, detailsDock, logDock}) {
        dock->setFloating(false);
        dock->show();
    }
    window.addDockWidget(Qt::LeftDockWidgetArea, sweepDock);
    window.addDockWidget(Qt::BottomDockWidgetArea, runsDock);
    window.addDockWidget(Qt::RightDockWidgetArea, detailsDock);
    window.addDockWidget(Qt::RightDockWidgetArea, logDock);
    window.resizeDocks({sweepDock, detailsDock}, {textWidth(&window, 46), textWidth(&window, 42)}, Qt::Horizontal);
    window.resizeDocks({detailsDock, logDock}, {spacingUnit(&window) * 50, spacingUnit(&window) * 20}, Qt::Vertical);
    window.resizeDocks({runsDock}, {spacingUnit(&window) * 28}, Qt::Vertical);
    runs->setUsualColumns();
}

void MainWindow::Private::restoreLayout() {
    window.resize(1280, 800);
    showUsualLayout();
    window.restoreGeometry(settings.geometry());
    window.restoreState(settings.layout(), kLayoutVersion);
    runs->restoreState(settings.tableHeader());
}

void MainWindow::Private::refreshTitle() {
    window.setWindowTitle(tr("%1[*] – Kvist").arg(sweepFiles.title()));
    window.setWindowModified(sweepFiles.isModified());
}

void MainWindow::Private::showAbout() {
    auto* dialog = new AboutDialog(machine, &window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

bool MainWindow::Private::hasUnfinishedRuns() const {
    return controller.isRunning() || !controller.queuedRuns().isEmpty();
}

MainWindow::MainWindow(SweepController& controller, Theme& theme, const WindowOptions& options, QWidget* parent)
    : QMainWindow(parent) {
    setWindowIcon(applicationIcon());
    d = std::make_unique<Private>(*this, controller, theme, options);
}

MainWindow::~MainWindow() = default;

void MainWindow::closeEvent(QCloseEvent* event) {
    if (d->hasUnfinishedRuns()) {
        event->ignore();
        const auto queued = static_cast<int>(d->controller.queuedRuns().size());
        auto* dialog = new CloseDialog(queued + (d->controller.isRunning() ? 1 : 0), this);
        connect(dialog, &CloseDialog::finishChosen, this, [this] {
            d->closesWhenDone = true;
            d->controller.resume();
            if (!d->hasUnfinishedRuns()) {
                close();
            }
        });
        connect(dialog, &CloseDialog::stopChosen, this, [this] {
            d->closesWhenDone = true;
            d->controller.interrupt();
        });
        dialog->open();
        return;
    }
    d->settings.setWindow(saveGeometry(), saveState(kLayoutVersion), d->runs->saveState());
    QMainWindow::closeEvent(event);
}

}  // namespace kvist::ui
