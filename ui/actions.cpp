// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/actions.h"

#include <QCoreApplication>

#include "ui/style/icons.h"
#include "ui/style/theme.h"

namespace kvist::ui {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("Actions", text);
}

QAction* make(QWidget* window, const char* icon, const QString& text, const QKeySequence& shortcut,
              const QString& tip) {
    auto* action = new QAction(themedIcon(QString::fromLatin1(icon)), text, window);
    action->setShortcut(shortcut);
    action->setStatusTip(tip);
    action->setToolTip(
        shortcut.isEmpty() ? tip : QStringLiteral("%1 (%2)").arg(tip, shortcut.toString(QKeySequence::NativeText)));
    return action;
}

}  // namespace

Actions::Actions(QWidget* window) {
    const auto action = [window](const char* icon, const QString& text, const QKeySequence& shortcut,
                                 const QString& tip) { return make(window, icon, text, shortcut, tip); };
    newSweep = action("new", tr("&New sweep"), QKeySequence::New, tr("Start from the usual sweep over the demo model"));
    openSweep = action("open", tr("&Open sweep…"), QKeySequence::Open, tr("Open a sweep file"));
    saveSweep = action("save", tr("&Save sweep"), QKeySequence::Save, tr("Save the sweep to its file"));
    saveSweepAs = action("save", tr("Save sweep &as…"), QKeySequence(QStringLiteral("Ctrl+Shift+S")),
                         tr("Save the sweep to another file"));
    newStore = action("database", tr("New results file…"), {}, tr("Store results in a new file"));
    openStore = action("database", tr("Open results file…"), QKeySequence(QStringLiteral("Ctrl+Shift+O")),
                       tr("Open stored results"));
    saveStoreCopy =
        action("save", tr("Save a &copy of the results…"), {}, tr("Write all stored results to another file"));
    exportPicture1 = action("chart", tr("This chart as PNG, &1×…"), {}, tr("Save the chart in view as a picture"));
    exportPicture2 = action("chart", tr("This chart as PNG, &2×…"), QKeySequence(QStringLiteral("Ctrl+E")),
                            tr("Save the chart in view as a picture for print"));
    exportPicture4 =
        action("chart", tr("This chart as PNG, &4×…"), {}, tr("Save the chart in view as a large picture"));
    exportSvg = action("chart", tr("This chart as &SVG…"), {}, tr("Save the chart in view as lines that scale"));
    exportChartCsv = action("table", tr("This chart as &CSV…"), {}, tr("Save the points of the chart in view"));
    exportAllCharts = action("folder", tr("&All charts…"), QKeySequence(QStringLiteral("Ctrl+Shift+E")),
                             tr("Save every chart as PNG and CSV into a folder"));
    exportTable = action("table", tr("&Runs as CSV…"), QKeySequence(QStringLiteral("Ctrl+Shift+T")),
                         tr("Save all runs with every figure at full precision"));
    exportReport = action("text", tr("R&eport…"), QKeySequence(QStringLiteral("Ctrl+Shift+R")),
                          tr("Save tables, charts and how to repeat the runs as one web page"));
    quit = action("quit", tr("&Quit"), QKeySequence::Quit, tr("Close the window"));

    undo = action("undo", tr("&Undo"), QKeySequence::Undo, tr("Take back the last change of the sweep"));
    redo = action("redo", tr("&Redo"), QKeySequence::Redo, tr("Make the change again"));
    copyTsv = action("copy", tr("&Copy runs"), QKeySequence(QStringLiteral("Ctrl+Shift+C")),
                     tr("Copy the selected runs, or all shown ones, for a spreadsheet"));
    copyCsv = action("copy", tr("Copy runs as C&SV"), {}, tr("Copy the selected runs as CSV"));
    copyMarkdown = action("copy", tr("Copy runs as &Markdown"), {}, tr("Copy the selected runs as a Markdown table"));
    copyPicture = action("chart", tr("Copy c&hart"), {}, tr("Copy the chart in view as a picture"));
    filter = action("filter", tr("&Filter runs"), QKeySequence::Find, tr("Type words that a run must contain"));

    start = action("start", tr("&Start"), QKeySequence(QStringLiteral("Ctrl+Return")), tr("Measure the sweep"));
    pause = action("pause", tr("&Pause"), QKeySequence(QStringLiteral("Ctrl+.")), tr("Pause after the current run"));
    pause->setCheckable(true);
    cancelRun = action("cancel-run", tr("Cancel &run"), QKeySequence(QStringLiteral("Ctrl+Backspace")),
                       tr("Stop the current run, or the selected queued ones; the sweep goes on"));
    cancelSweep = action("cancel", tr("&Cancel sweep"), QKeySequence(QStringLiteral("Ctrl+Shift+Backspace")),
                         tr("Stop the current run and empty the queue"));
    retry = action("retry", tr("&Try again"), QKeySequence(QStringLiteral("Ctrl+R")),
                   tr("Queue the selected failed, cancelled or interrupted runs again"));
    removeRuns = action("remove", tr("Re&move"), QKeySequence::Delete,
                        tr("Take the selected runs out of the results; this can be undone"));
    runNext = action("up", tr("Run &next"), QKeySequence(QStringLiteral("Ctrl+Up")),
                     tr("Move the selected queued runs to the front of the queue"));
    runLast = action("down", tr("Run &last"), QKeySequence(QStringLiteral("Ctrl+Down")),
                     tr("Move the selected queued runs to the end of the queue"));

    theme = new QActionGroup(window);
    const std::pair<ThemeChoice, QString> choices[] = {
        {ThemeChoice::System, tr("&System")}, {ThemeChoice::Light, tr("&Light")}, {ThemeChoice::Dark, tr("&Dark")}};
    for (const auto& [choice, text] : choices) {
        QAction* one = action("theme", text, {}, tr("Colours of the window"));
        one->setCheckable(true);
        one->setData(static_cast<int>(choice));
        theme->addAction(one);
    }
    restoreLayout = action("layout", tr("&Restore default layout"), {}, tr("Put docks and columns where they were"));

    help = action("help", tr("&Help"), QKeySequence::HelpContents, tr("How to use the window"));
    about = action("info", tr("&About Kvist"), {}, tr("Versions, device and licence"));
    about->setMenuRole(QAction::AboutRole);
}

}  // namespace kvist::ui
