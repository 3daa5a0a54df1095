// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QMimeData>
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
#include "ui/sleep_blocker.h"
#include "ui/store_files.h"
#include "ui/style/icons.h"
#include "ui/sweep_files.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/progress_strip.h"
#include "ui/window_layout.h"
#include "ui/window_menus.h"

namespace kvist::ui {

using experiments::SweepController;

namespace {

/// The file with this suffix that is dragged, or nothing.
QString fileIn(const QMimeData& data, const char* suffix) {
    const QList<QUrl> urls = data.urls();
    const QString path = urls.size() == 1 ? urls.front().toLocalFile() : QString();
    return path.endsWith(QLatin1String(suffix), Qt::CaseInsensitive) ? path : QString();
}

QString sweepFileIn(const QMimeData& data) {
    return fileIn(data, ".json");
}

QString storeIn(const QMimeData& data) {
    return fileIn(data, ".sqlite");
}

}  // namespace

/// Owns what the window is made of and connects it. Members are in the order in which they need each other.
class MainWindow::Private {
public:
    Private(MainWindow& owner, SweepController& theController, Theme& theTheme, const WindowOptions& options);

    void buildDocks();
    void connectActions();
    void connectReports();
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
    WindowLayout layout;
    RunControl control;
    ExportCenter exports;
    SweepFiles sweepFiles;
    StoreFiles storeFiles;
    SleepBlocker sleepBlocker;
    HelpDialog* help = nullptr;
    QDockWidget* runsDock = nullptr;
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
      details(new DetailsPanel(
          table, selection, [&theController](experiments::RunId id) { return theController.details(id); }, &owner)),
      log(new LogPanel(theController, &owner)),
      layout(owner, *menus.docks),
      control(theController, actions, selection, *messages, nullptr),
      exports(settings, &owner),
      sweepFiles(*sweep, settings, &owner),
      storeFiles(theController, settings, &owner),
      sleepBlocker(theController) {
    buildDocks();
    connectActions();
    connectReports();
    sweepFiles.setPresetsMenu(menus.presets);
    sweepFiles.setRecentMenu(menus.recentSweeps);
    runs->addMenuActions({actions.retry, actions.cancelRun, actions.removeRuns, actions.runNext, actions.runLast,
                          actions.copyTsv, actions.copyCsv, actions.copyMarkdown});
    theme.setChoice(settings.theme());
    actions.theme->actions()[static_cast<int>(theme.choice())]->setChecked(true);
    layout.restore(settings);
    runs->restoreState(settings.tableHeader());
    sweepFiles.openFirst(options.sweepFile);
    storeFiles.openFirst(options.storePath);
}

void MainWindow::Private::buildDocks() {
    auto* central = new QWidget(&window);
    auto* column = new QVBoxLayout(central);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(messages);
    column->addWidget(charts, 1);
    window.setCentralWidget(central);
    layout.addDock(QStringLiteral("sweepDock"), tr("Sweep"), sweep, Qt::LeftDockWidgetArea, {46, 0});
    layout.addDock(QStringLiteral("detailsDock"), tr("Run details"), details, Qt::RightDockWidgetArea, {42, 62});
    layout.addDock(QStringLiteral("logDock"), tr("Log"), log, Qt::RightDockWidgetArea, {42, 24});
    runsDock = layout.addDock(QStringLiteral("runsDock"), tr("Runs"), runs, Qt::BottomDockWidgetArea, {0, 26});
    window.statusBar()->setSizeGripEnabled(false);
    window.statusBar()->addWidget(new ProgressStrip(controller, &window), 1);
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
    on(actions.saveStoreCopy, [this] { storeFiles.askCopy(); });
    on(actions.exportPicture1, [this] { exports.askPicture(charts->currentSpec(), 1); });
    on(actions.exportPicture2, [this] { exports.askPicture(charts->currentSpec(), 2); });
    on(actions.exportPicture4, [this] { exports.askPicture(charts->currentSpec(), 4); });
    on(actions.exportSvg, [this] { exports.askSvg(charts->currentSpec()); });
    on(actions.exportChartCsv, [this] { exports.askChartCsv(charts->currentSpec()); });
    on(actions.exportAllCharts, [this] { exports.askAllCharts(charts->specs()); });
    on(actions.exportTable, [this] { exports.askTable(table.records()); });
    on(actions.exportReport, [this] { exports.askReport(table.records(), charts->specs()); });
    on(actions.quit, [this] { window.close(); });
    on(actions.undo, [this] { sweepFiles.undo(); });
    on(actions.redo, [this] { sweepFiles.redo(); });
    on(actions.copyTsv, [this] { runs->copy(TableFormat::Tsv); });
    on(actions.copyCsv, [this] { runs->copy(TableFormat::Csv); });
    on(actions.copyMarkdown, [this] { runs->copy(TableFormat::Markdown); });
    on(actions.copyPicture, [this] { exports.copyPicture(charts->currentSpec()); });
    on(actions.filter, [this] {
        runsDock->show();
        runs->filter()->setFocus(Qt::ShortcutFocusReason);
        runs->filter()->selectAll();
    });
    on(actions.start, [this] { sweep->startSweep(); });
    on(actions.restoreLayout, [this] {
        layout.showUsual();
        runs->setUsualColumns();
    });
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
    QObject::connect(charts, &ChartArea::svgExportRequested, &exports, &ExportCenter::askSvg);
    QObject::connect(charts, &ChartArea::csvExportRequested, &exports, &ExportCenter::askChartCsv);
    const auto tellWritten = [this](const QString& path) {
        log->addLine(tr("Wrote %1").arg(path));
        messages->showMessage(QStringLiteral("export"), MessageKind::Info, tr("Wrote %1").arg(path));
    };
    QObject::connect(&exports, &ExportCenter::exported, &window, tellWritten);
    QObject::connect(&exports, &ExportCenter::exportRefused, &window, [this](const QString& message) {
        messages->showMessage(QStringLiteral("export"), MessageKind::Error, message);
    });
    const auto tellFile = [this](const QString& message) {
        messages->showMessage(QStringLiteral("file"), MessageKind::Error, message);
    };
    QObject::connect(&sweepFiles, &SweepFiles::fileRefused, &window, tellFile);
    QObject::connect(&storeFiles, &StoreFiles::fileRefused, &window, tellFile);
    QObject::connect(&controller, &SweepController::storeCopied, &window,
                     [tellWritten, tellFile](const QString& path, const QString& message) {
                         if (message.isEmpty()) {
                             tellWritten(path);
                         } else {
                             tellFile(message);
                         }
                     });
    QObject::connect(&sweepFiles, &SweepFiles::stateChanged, &window, [this] { refreshTitle(); });
    QObject::connect(&sweepFiles, &SweepFiles::replaced, &window, [this](const QString& title) {
        messages->showMessage(QStringLiteral("replaced"), MessageKind::Info,
                              tr("“%1” had changes that are not saved.").arg(title),
                              {tr("Bring it back"), [this] { sweepFiles.undo(); }});
    });
    QObject::connect(&feed, &RunFeed::updated, &window, [this] {
        details->refresh();
        if (const auto current = controller.currentRun()) {
            runs->revealRun(*current);
        }
    });
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

void MainWindow::Private::refreshTitle() {
    window.setWindowTitle(tr("%1[*] – Kvist").arg(sweepFiles.title()));
    window.setWindowModified(sweepFiles.isModified());
    actions.undo->setEnabled(sweepFiles.canUndo());
    actions.redo->setEnabled(sweepFiles.canRedo());
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
    setAcceptDrops(true);
    d = std::make_unique<Private>(*this, controller, theme, options);
}

MainWindow::~MainWindow() = default;

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (!sweepFileIn(*event->mimeData()).isEmpty() || !storeIn(*event->mimeData()).isEmpty()) {
        event->acceptProposedAction();
    }
}

void MainWindow::dropEvent(QDropEvent* event) {
    if (const QString sweep = sweepFileIn(*event->mimeData()); !sweep.isEmpty()) {
        d->sweepFiles.open(sweep);
    } else {
        d->controller.openStore(storeIn(*event->mimeData()));
    }
    event->acceptProposedAction();
}

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
    d->sweepFiles.keepUnsaved();
    d->settings.setWindow(saveGeometry(), d->layout.state(), d->runs->saveState());
    QMainWindow::closeEvent(event);
}

}  // namespace kvist::ui
