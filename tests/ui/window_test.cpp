// SPDX-License-Identifier: GPL-3.0-or-later
// Clicking through the window with an engine that answers at once: choose, start, watch, export.
#include <QCheckBox>
#include <QClipboard>
#include <QDir>
#include <QDockWidget>
#include <QFileDialog>
#include <QGuiApplication>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTest>
#include <QTextBrowser>

#include "experiments/csv_writer.h"
#include "experiments/sweep_file.h"
#include "tests/support/fake_engine.h"
#include "tests/ui/support/window_fixture.h"
#include "ui/docks/chart_area.h"
#include "ui/docks/runs_panel.h"
#include "ui/docks/sweep_panel.h"
#include "ui/report/export_center.h"
#include "ui/sweep_files.h"
#include "ui/widgets/message_bar.h"

namespace kvist::ui {

using experiments::RunState;
using experiments::SweepController;

namespace {

QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace

class WindowTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { test::isolateSettings(); }

    void firstStartIsOneClickAway() {
        test::WindowFixture fixture(test::fakeEngineFactory());
        fixture.waitUntilReady();
        const experiments::Sweep sweep = fixture.find<SweepPanel>()->sweep();
        QCOMPARE(sweep.models, std::vector<std::string>{"resources/demo_model"});
        QVERIFY(!sweep.policies.empty());
        QVERIFY(fixture.find<MessageBar>()->messages().isEmpty());
        QVERIFY(fixture.window().windowTitle().startsWith(QStringLiteral("Budget curve")));
    }

    void clickThrough() {
        test::WindowFixture fixture(test::fakeEngineFactory());
        fixture.waitUntilReady();
        SweepForm* form = fixture.find<SweepPanel>()->form();
        for (const char* policy : {"window", "attention-score"}) {
            form->policies()->row(policy)->setChosen(true);
        }
        form->budgets()->edit()->selectAll();
        QTest::keyClicks(form->budgets()->edit(), QStringLiteral("64, 128, 256"));
        form->evaluations()->row("speed")->setChosen(true);
        auto* depths = form->evaluations()->depthsField("speed")->edit();
        depths->selectAll();
        QTest::keyClicks(depths, QStringLiteral("512, 1024"));
        OptionRow* retrieval = form->evaluations()->row("retrieval");
        retrieval->setChosen(true);
        for (const auto& [name, axis] : {std::pair{"length", "256, 512"}, {"depth", "0, 50, 100"}}) {
            auto* field = retrieval->form()->field(name)->edit();
            field->selectAll();
            QTest::keyClicks(field, QString::fromLatin1(axis));
        }
        fixture.startAndFinish();

        chartsHoldTheStoredValues(fixture);
        exportsAreRight(fixture);
        detailsTellHowToRepeat(fixture);
    }

    void storedRunsAreSkippedOrRepeated() {
        test::WindowFixture fixture(test::fakeEngineFactory());
        fixture.startAndFinish();
        auto* panel = fixture.find<SweepPanel>();
        QTRY_VERIFY(panel->obstacle().contains(QStringLiteral("stored already")));
        const auto before = fixture.controller().records().size();
        fixture.find<QCheckBox>(QStringLiteral("repeatStored"))->click();
        fixture.startAndFinish();
        QVERIFY(fixture.controller().records().size() >= before);
    }

    void startSaysWhyItIsDisabled() {
        test::WindowFixture fixture(test::fakeEngineFactory());
        fixture.waitUntilReady();
        auto* panel = fixture.find<SweepPanel>();
        panel->form()->budgets()->edit()->selectAll();
        QTest::keyClicks(panel->form()->budgets()->edit(), QStringLiteral("lots"));
        QTRY_VERIFY(panel->obstacle().contains(QStringLiteral("budgets")));
        QVERIFY(!fixture.find<QPushButton>(QStringLiteral("start"))->isEnabled());
        QVERIFY(!panel->form()->budgets()->isValid());
        QVERIFY(fixture.find<QLabel>(QStringLiteral("reason"))->isVisible());
    }

    void everyActionHasIconAndTip() {
        test::WindowFixture fixture(test::fakeEngineFactory());
        QStringList shortcuts;
        for (const QMenu* menu : fixture.window().findChildren<QMenu*>()) {
            for (const QAction* action : menu->actions()) {
                if (action->isSeparator() || action->menu() != nullptr || action->parent() != &fixture.window()) {
                    continue;
                }
                QVERIFY2(!action->icon().isNull(), qPrintable(action->text()));
                QVERIFY2(!action->toolTip().isEmpty(), qPrintable(action->text()));
            }
        }
        for (const QAction* action : fixture.window().findChildren<QAction*>(Qt::FindDirectChildrenOnly)) {
            if (!action->shortcut().isEmpty()) {
                QVERIFY2(!shortcuts.contains(action->shortcut().toString()), qPrintable(action->text()));
                shortcuts << action->shortcut().toString();
            }
        }
        for (const char* wanted : {"Ctrl+Return", "Ctrl+.", "Ctrl+F", "F1"}) {
            QVERIFY2(shortcuts.contains(QLatin1String(wanted)), wanted);
        }
    }

    void editsThatAreNotSavedAreNotLost() {
        test::WindowFixture fixture(test::fakeEngineFactory());
        fixture.waitUntilReady();
        auto* budgets = fixture.find<SweepPanel>()->form()->budgets();
        const auto edit = [&budgets] {
            budgets->edit()->selectAll();
            QTest::keyClicks(budgets->edit(), QStringLiteral("96"));
        };
        edit();
        test::actionNamed(fixture.window(), QStringLiteral("New sweep"))->trigger();
        QVERIFY(budgets->text() != QStringLiteral("96"));
        auto* bar = fixture.find<MessageBar>();
        QVERIFY(bar->messages().join(QLatin1Char(' ')).contains(QStringLiteral("not saved")));
        bar->findChild<QPushButton*>(QStringLiteral("remedy"))->click();
        QCOMPARE(budgets->text(), QStringLiteral("96"));
        QVERIFY(fixture.window().isWindowModified());
        test::actionNamed(fixture.window(), QStringLiteral("Redo"))->trigger();
        QVERIFY(budgets->text() != QStringLiteral("96"));
        QVERIFY(!fixture.window().isWindowModified());
        test::actionNamed(fixture.window(), QStringLiteral("Undo"))->trigger();
        test::actionNamed(fixture.window(), QStringLiteral("Undo"))->trigger();
        QVERIFY(!test::actionNamed(fixture.window(), QStringLiteral("Undo"))->isEnabled());
        QVERIFY(budgets->text() != QStringLiteral("96"));
        test::actionNamed(fixture.window(), QStringLiteral("Redo"))->trigger();
        QCOMPARE(budgets->text(), QStringLiteral("96"));
        fixture.window().close();
        fixture.restart();
        budgets = fixture.find<SweepPanel>()->form()->budgets();
        QCOMPARE(budgets->text(), QStringLiteral("96"));
        QVERIFY(fixture.window().isWindowModified());
        test::actionNamed(fixture.window(), QStringLiteral("New sweep"))->trigger();
        fixture.window().close();
        fixture.restart();
        QVERIFY(!fixture.window().isWindowModified());
    }

    void aSweepSavedElsewhereFindsItsFiles() {
        test::WindowFixture fixture(test::fakeEngineFactory());
        fixture.waitUntilReady();
        QVERIFY(QDir().mkpath(fixture.path(QStringLiteral("a"))) && QDir().mkpath(fixture.path(QStringLiteral("b"))));
        QFile text(fixture.path(QStringLiteral("a/own.txt")));
        QVERIFY(text.open(QIODevice::WriteOnly) && text.write("Some words.") > 0);
        text.close();
        experiments::Sweep sweep = fixture.find<SweepPanel>()->sweep();
        sweep.text.file = "own.txt";
        const QString first = fixture.path(QStringLiteral("a/sweep.json"));
        const QString second = fixture.path(QStringLiteral("b/sweep.json"));
        QVERIFY(experiments::writeSweepFile(first.toStdString(), sweep));
        auto* files = fixture.find<SweepFiles>();
        files->open(first);
        files->saveAs(second);
        const auto moved = experiments::readSweepFile(second.toStdString());
        QCOMPARE(QString::fromStdString(moved->text.file), text.fileName());
        QCOMPARE(moved->models, sweep.models);
    }

    void layoutIsRememberedAndRestored() {
        test::WindowFixture fixture(test::fakeEngineFactory());
        auto* log = fixture.find<QDockWidget>(QStringLiteral("logDock"));
        log->close();
        fixture.window().close();
        fixture.restart();
        log = fixture.find<QDockWidget>(QStringLiteral("logDock"));
        QVERIFY(!log->isVisible());
        test::actionNamed(fixture.window(), QStringLiteral("Restore default layout"))->trigger();
        QVERIFY(log->isVisible());
    }

    void chartsOfferWhatWasMeasured() {
        test::WindowFixture fixture(test::fakeEngineFactory());
        fixture.startAndFinish();
        auto* charts = fixture.find<ChartArea>();
        ChartPanel* panel = charts->panel(QStringLiteral("figure_vs_budget"));
        charts->setCurrentWidget(panel);
        auto* choice = panel->findChild<QComboBox*>(QStringLiteral("choice"));
        QVERIFY(choice->isVisible() && choice->count() > 1);
        choice->setCurrentIndex(1);
        Q_EMIT choice->activated(1);
        QCOMPARE(panel->spec().chosen, choice->itemData(1).toString());
        QCOMPARE(panel->spec().y.title, choice->itemText(1));
        QVERIFY(!panel->spec().isEmpty());
        QCOMPARE(charts->currentSpec().fileName(), QStringLiteral("figure_vs_budget_") + panel->spec().chosen);
    }

private:
    static void chartsHoldTheStoredValues(test::WindowFixture& fixture) {
        auto* charts = fixture.find<ChartArea>();
        int points = 0;
        int speeds = 0;
        for (const ChartSpec& spec : charts->specs()) {
            QVERIFY2(!spec.isEmpty(), qPrintable(spec.id));
        }
        charts->setCurrentIndex(1);
        const Plot& plot = *charts->panel(QStringLiteral("perplexity_vs_budget"))->view()->plot();
        QList<QPointF> drawn;
        for (QAbstractSeries* series : plot.series()) {
            drawn += static_cast<QXYSeries*>(series)->points();
        }
        for (const auto& record : fixture.controller().records()) {
            QCOMPARE(record.state, RunState::Finished);
            if (record.config.evaluation == "perplexity" && record.config.budget > 0) {
                const QPointF stored(static_cast<double>(record.config.budget), record.metric("perplexity"));
                QVERIFY2(drawn.contains(stored), qPrintable(QString::number(stored.y())));
                ++points;
            }
            speeds += record.config.evaluation == "speed" ? 1 : 0;
        }
        const ChartSpec map = charts->specs().back();
        QCOMPARE(map.series.size(), std::size_t{6});  // of 7: the full cache and three budgets of two policies
        QCOMPARE(map.series.front().points.size(), std::size_t{6});
        QCOMPARE(points, 6);
        QCOMPARE(speeds, 2 * 3 * 2 + 2);
    }

    static void exportsAreRight(test::WindowFixture& fixture) {
        auto* exports = fixture.find<ExportCenter>();
        QSignalSpy exported(exports, &ExportCenter::exported);
        test::actionNamed(fixture.window(), QStringLiteral("Runs as CSV…"))->trigger();
        auto* dialog = fixture.find<QFileDialog>();
        QVERIFY(dialog != nullptr);
        dialog->selectFile(fixture.path(QStringLiteral("runs.csv")));
        QVERIFY(QMetaObject::invokeMethod(dialog, "accept"));
        QVERIFY(exported.wait(5000));
        const auto& records = fixture.controller().records();
        QCOMPARE(contentOf(fixture.path(QStringLiteral("runs.csv"))), QByteArray::fromStdString(toCsv(records)));

        const QString folder = fixture.path(QStringLiteral("charts"));
        QVERIFY(QDir().mkpath(folder));
        exports->writeAllCharts(fixture.find<ChartArea>()->specs(), folder);
        QVERIFY(exported.wait(20000));
        QCOMPARE(QDir(folder).entryList({QStringLiteral("*.png")}).size(), 7);
        QCOMPARE(QDir(folder).entryList({QStringLiteral("*.csv")}).size(), 7);
        for (const QString& name : QDir(folder).entryList({QStringLiteral("*.png")})) {
            QVERIFY(QImage(QDir(folder).filePath(name)).width() > 1000);
        }
        const QString csv =
            QString::fromUtf8(contentOf(QDir(folder).filePath(QStringLiteral("perplexity_vs_budget.csv"))));
        QCOMPARE(csv.count(QStringLiteral("\r\n")), 1 + 6 + 2);

        const QString report = fixture.path(QStringLiteral("report.html"));
        exports->writeReport(fixture.controller().records(), fixture.find<ChartArea>()->specs(), report);
        QVERIFY(exported.wait(20000));
        const QString html = QString::fromUtf8(contentOf(report));
        QCOMPARE(html.count(QStringLiteral("<img ")), 7);
        for (const char* part : {"<h2>Quality</h2>", "<h2>Memory</h2>", "<h2>Speed</h2>", "loses least of",
                                 "kvist --headless run.json", "Fake"}) {
            QVERIFY2(html.contains(QLatin1String(part)), part);
        }

        const QString copy = fixture.path(QStringLiteral("copy.sqlite"));
        QSignalSpy copied(&fixture.controller(), &SweepController::storeCopied);
        fixture.controller().saveStoreCopy(copy);
        QVERIFY(copied.wait(10000));
        QCOMPARE(copied.front().at(1).toString(), QString());
        QVERIFY(contentOf(copy).startsWith("SQLite format 3"));
    }

    static void detailsTellHowToRepeat(test::WindowFixture& fixture) {
        auto* table = fixture.find<RunsPanel>()->table();
        table->selectRow(1);
        const QString details = fixture.find<QTextBrowser>(QStringLiteral("details"))->toPlainText();
        QVERIFY(details.contains(QStringLiteral("Perplexity")));
        QVERIFY(details.contains(QStringLiteral("Provenance")));
        for (QPushButton* button : fixture.window().findChildren<QPushButton*>()) {
            if (button->text() == QStringLiteral("Copy JSON")) {
                button->click();
            }
        }
        QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("\"kvist_sweep\"")));
    }
};

}  // namespace kvist::ui

QTEST_MAIN(kvist::ui::WindowTest)
#include "window_test.moc"
