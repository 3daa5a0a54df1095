// SPDX-License-Identifier: GPL-3.0-or-later
// Runs under the user's hand: pause, cancel, try again, failures, closing during a run and taking up again.
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include "tests/support/fake_engine.h"
#include "tests/ui/support/window_fixture.h"
#include "ui/docks/runs_panel.h"
#include "ui/docks/sweep_panel.h"
#include "ui/widgets/message_bar.h"

namespace kvist::ui {

using experiments::RunState;
using experiments::SweepController;
using test::actionNamed;

namespace {

test::FakeBehaviour slow() {
    test::FakeBehaviour behaviour;
    behaviour.stepTime = std::chrono::milliseconds(20);
    return behaviour;
}

}  // namespace

class WindowRunsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { test::isolateSettings(); }

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

    void removedRunsCanBeBroughtBack() {
        test::WindowFixture fixture(test::fakeEngineFactory());
        fixture.startAndFinish();
        SweepController& controller = fixture.controller();
        const std::vector<experiments::RunRecord> before = controller.records();
        QAction* remove = actionNamed(fixture.window(), QStringLiteral("Remove"));
        auto* table = fixture.find<RunsPanel>()->table();
        QVERIFY(!remove->isEnabled());
        table->selectRow(1);
        remove->trigger();
        QTRY_COMPARE(controller.records().size(), before.size() - 1);
        QTRY_COMPARE(table->model()->rowCount(), static_cast<int>(before.size()) - 1);
        QTRY_VERIFY(!fixture.find<SweepPanel>()->obstacle().contains(QStringLiteral("stored already")));
        fixture.find<MessageBar>()->findChild<QPushButton*>(QStringLiteral("remedy"))->click();
        QTRY_VERIFY(controller.records() == before);
        table->selectRow(1);
        remove->trigger();
        QTRY_COMPARE(controller.records().size(), before.size() - 1);
        fixture.restart();
        QTRY_COMPARE(fixture.controller().records().size(), before.size() - 1);
    }

    void queuedRunsChangePlaces() {
        test::WindowFixture fixture(test::fakeEngineFactory(slow()));
        fixture.waitUntilReady();
        SweepController& controller = fixture.controller();
        QAction* next = actionNamed(fixture.window(), QStringLiteral("Run next"));
        QVERIFY(!next->isEnabled());
        actionNamed(fixture.window(), QStringLiteral("Start"))->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(controller.queuedRuns().size() > 3, 10000);
        actionNamed(fixture.window(), QStringLiteral("Pause"))->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!controller.isRunning(), 10000);
        fixture.settle();
        const auto before = controller.queuedRuns();
        auto* table = fixture.find<RunsPanel>()->table();
        for (int row = 0; row < table->model()->rowCount(); ++row) {
            if (table->model()->index(row, 0).data(RunTableModel::kRunIdRole).toLongLong() == before.back()) {
                table->selectRow(row);
            }
        }
        QVERIFY(next->isEnabled());
        next->trigger();
        QCOMPARE(controller.queuedRuns().front(), before.back());
        actionNamed(fixture.window(), QStringLiteral("Run last"))->trigger();
        QVERIFY(controller.queuedRuns() == before);
        actionNamed(fixture.window(), QStringLiteral("Cancel sweep"))->trigger();
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
};

}  // namespace kvist::ui

QTEST_MAIN(kvist::ui::WindowRunsTest)
#include "window_runs_test.moc"
