// SPDX-License-Identifier: GPL-3.0-or-later
// Clicking through the window with an engine that answers at once: choose, start, watch, export; pause, cancel,
// retry, close and resume.
#include <QCheckBox>
#include <QClipboard>
#include <QDir>
#include <QDockWidget>
#include <QFileDialog>
#include <QGuiApplication>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTest>
#include <QTextBrowser>

#include "experiments/csv_writer.h"
#include "tests/support/fake_engine.h"
#include "tests/ui/support/window_fixture.h"
#include "ui/docks/chart_area.h"
#include "ui/docks/runs_panel.h"
#include "ui/docks/sweep_panel.h"
#include "ui/report/export_center.h"
#include "ui/widgets/message_bar.h"

namespace kvist::ui {

using experiments::RunState;
using experiments::SweepController;

namespace {

test::FakeBehaviour slow() {
    test::FakeBehaviour behaviour;
    behaviour.stepTime = std::chrono::milliseconds(20);
    return behaviour;
}

QAction* actionNamed(const QWidget& window, const QString& text) {
    for (QAction* action : window.findChildren<QAction*>()) {
        if (action->text().remove(QLatin1Char('&')) == text) {
            return action;
        }
    }
    qFatal("no action %s", qPrintable(text));
}

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

    void pauseCancelAndRetry() {
        test::WindowFixture fixture(test::fakeEngineFactory(slow()));
        fixture.waitUntilReady();
        SweepController& controller = fixture.controller();
        QSignalSpy started(&controller, &SweepController::runStarted);
        actionNamed(fixture.window(), QStringLiteral("Start"))->trigger();
        QVERIFY(started.wait(10000));
        actionNamed(fixture.window(), QStringLiteral("Pause"))->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!controller.isRunning(), 10000);
        QVERIFY(controller.isPaused());
        const auto waiting = controller.queuedRuns().size();
        QVERIFY(waiting > 0);
        actionNamed(fixture.window(), QStringLiteral("Resume"))->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(controller.isRunning(), 10000);

        QSignalSpy cancelled(&controller, &SweepController::runCancelled);
        actionNamed(fixture.window(), QStringLiteral("Cancel run"))->trigger();
        QVERIFY(cancelled.wait(1000));
        const auto id = cancelled.front().front().toLongLong();
        QSignalSpy finished(&controller, &SweepController::sweepFinished);
        actionNamed(fixture.window(), QStringLiteral("Cancel sweep"))->trigger();
        QVERIFY(finished.count() > 0 || finished.wait(2000));
        fixture.settle();

        auto* table = fixture.find<RunsPanel>()->table();
        QVERIFY(table->model()->rowCount() > 0);
        fixture.find<RunsPanel>()->filter()->setText(QStringLiteral("cancelled"));
        table->selectAll();
        QAction* retry = actionNamed(fixture.window(), QStringLiteral("Try again"));
        QVERIFY(retry->isEnabled());
        QVERIFY(finished.count() > 0);
        retry->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(controller.record(id)->state != RunState::Cancelled, 5000);
        actionNamed(fixture.window(), QStringLiteral("Cancel sweep"))->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!controller.isRunning() && controller.queuedRuns().isEmpty(), 5000);
    }

    void failedRunsAreToldAndTheSweepGoesOn() {
        test::FakeBehaviour behaviour;
        behaviour.beforeRun = [](const RunConfig& config) {
            if (config.budget == 64) {
                throw EngineError(ErrorKind::OutOfMemory, "no memory for 64 entries; close other programs");
            }
        };
        test::WindowFixture fixture(test::fakeEngineFactory(behaviour));
        fixture.startAndFinish();
        int failed = 0;
        int finished = 0;
        for (const auto& record : fixture.controller().records()) {
            failed += record.state == RunState::Failed ? 1 : 0;
            finished += record.state == RunState::Finished ? 1 : 0;
        }
        QVERIFY(failed > 0 && finished > 0);
        QVERIFY(fixture.find<MessageBar>()->messages().join(' ').contains(QStringLiteral("no memory")));
        fixture.find<RunsPanel>()->filter()->setText(QStringLiteral("no memory"));
        QCOMPARE(fixture.find<RunsPanel>()->table()->model()->rowCount(), failed);
    }

    void closingDuringARunAsksAndInterruptedRunsAreOffered() {
        test::WindowFixture fixture(test::fakeEngineFactory(slow()));
        fixture.waitUntilReady();
        QSignalSpy started(&fixture.controller(), &SweepController::runStarted);
        actionNamed(fixture.window(), QStringLiteral("Start"))->trigger();
        QVERIFY(started.wait(10000));

        fixture.window().close();
        QVERIFY(fixture.window().isVisible());
        auto* box = fixture.find<QMessageBox>();
        QVERIFY(box != nullptr);
        QTest::mouseClick(box->findChild<QPushButton*>(QStringLiteral("stay")), Qt::LeftButton);
        QVERIFY(fixture.window().isVisible());
        QVERIFY(fixture.controller().isRunning());

        fixture.window().close();
        box = nullptr;
        for (QMessageBox* one : fixture.window().findChildren<QMessageBox*>()) {
            box = one->isVisible() ? one : box;
        }
        QVERIFY(box != nullptr);
        QTest::mouseClick(box->findChild<QPushButton*>(QStringLiteral("stop")), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!fixture.window().isVisible(), 3000);

        fixture.restart();
        QTRY_VERIFY_WITH_TIMEOUT(!fixture.controller().interruptedRuns().isEmpty(), 5000);
        QTRY_VERIFY(fixture.find<MessageBar>()->messages().join(' ').contains(QStringLiteral("interrupted")));
        QTest::mouseClick(fixture.find<MessageBar>()->findChild<QPushButton*>(QStringLiteral("remedy")),
                          Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(fixture.controller().isRunning(), 5000);
        fixture.controller().cancelSweep();
        QTRY_VERIFY_WITH_TIMEOUT(!fixture.controller().isRunning(), 5000);
    }

    void closingCanWaitForTheRuns() {
        test::FakeBehaviour behaviour;
        behaviour.stepTime = std::chrono::milliseconds(2);
        test::WindowFixture fixture(test::fakeEngineFactory(behaviour));
        fixture.waitUntilReady();
        QSignalSpy started(&fixture.controller(), &SweepController::runStarted);
        actionNamed(fixture.window(), QStringLiteral("Start"))->trigger();
        QVERIFY(started.wait(10000));
        fixture.window().close();
        QTest::mouseClick(fixture.find<QMessageBox>()->findChild<QPushButton*>(QStringLiteral("finish")),
                          Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!fixture.window().isVisible(), 60000);
        for (const auto& record : fixture.controller().records()) {
            QCOMPARE(record.state, RunState::Finished);
        }
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

    void layoutIsRememberedAndRestored() {
        test::WindowFixture fixture(test::fakeEngineFactory());
        auto* log = fixture.find<QDockWidget>(QStringLiteral("logDock"));
        log->close();
        fixture.window().close();
        fixture.restart();
        log = fixture.find<QDockWidget>(QStringLiteral("logDock"));
        QVERIFY(!log->isVisible());
        actionNamed(fixture.window(), QStringLiteral("Restore default layout"))->trigger();
        QVERIFY(log->isVisible());
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
        QCOMPARE(points, 6);
        QCOMPARE(speeds, 2 * 3 * 2 + 2);
    }

    static void exportsAreRight(test::WindowFixture& fixture) {
        auto* exports = fixture.find<ExportCenter>();
        QSignalSpy exported(exports, &ExportCenter::exported);
        actionNamed(fixture.window(), QStringLiteral("Runs as CSV…"))->trigger();
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
        QCOMPARE(QDir(folder).entryList({QStringLiteral("*.png")}).size(), 5);
        QCOMPARE(QDir(folder).entryList({QStringLiteral("*.csv")}).size(), 5);
        for (const QString& name : QDir(folder).entryList({QStringLiteral("*.png")})) {
            QVERIFY(QImage(QDir(folder).filePath(name)).width() > 1000);
        }
        const QString csv =
            QString::fromUtf8(contentOf(QDir(folder).filePath(QStringLiteral("perplexity_vs_budget.csv"))));
        QCOMPARE(csv.count(QStringLiteral("\r\n")), 1 + 6 + 2);
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
