// SPDX-License-Identifier: GPL-3.0-or-later
#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

#include "experiments/sweep_controller.h"
#include "tests/experiments/controller_bench.h"

using namespace kvist;
using namespace kvist::experiments;
using namespace std::chrono_literals;

/// The controller over a fake engine: cancel, pause, reorder, take up again; plans and stores.
class QueueControlTest : public QObject, protected ControllerBench {
    Q_OBJECT

private Q_SLOTS:
    void init() { reset(); }
    void cleanup() { m_controller.reset(); }

    void cancelsTheCurrentRun() {
        open({.stepTime = 1s});
        QSignalSpy started(&*m_controller, &SweepController::runStarted);
        QSignalSpy cancelled(&*m_controller, &SweepController::runCancelled);
        m_controller->start(plan());
        QVERIFY(started.wait());
        QElapsedTimer clock;
        clock.start();
        m_controller->cancelRun(*m_controller->currentRun());
        QVERIFY(cancelled.wait());
        QVERIFY(clock.elapsed() < 1000);
        QCOMPARE(m_controller->records()[0].state, RunState::Cancelled);
        QVERIFY(started.count() == 2 || started.wait());  // the sweep goes on
    }

    void cancelsQueuedRunsAndTheSweep() {
        open({.stepTime = 1s});
        QSignalSpy started(&*m_controller, &SweepController::runStarted);
        m_controller->start(plan());
        QVERIFY(started.wait());
        const RunId last = m_controller->queuedRuns().last();
        m_controller->cancelRun(last);
        QCOMPARE(m_controller->record(last)->state, RunState::Cancelled);
        QCOMPARE(m_controller->queuedRuns().size(), 1);
        QSignalSpy ended(&*m_controller, &SweepController::sweepFinished);
        m_controller->cancelSweep();
        QVERIFY(ended.wait());
        QCOMPARE(ended[0][0].value<SweepSummary>().cancelled, 3u);
        reopen();
        for (const RunRecord& record : m_controller->records()) {
            QCOMPARE(record.state, RunState::Cancelled);
        }
    }

    void cancelsASweepBeforeItIsQueued() {
        open();
        QSignalSpy ended(&*m_controller, &SweepController::sweepFinished);
        m_controller->start(plan());
        m_controller->cancelSweep();  // the store has not answered yet
        QVERIFY(ended.wait());
        QCOMPARE(ended[0][0].value<SweepSummary>().cancelled, 3u);
        QCOMPARE(m_controller->records().size(), 3u);
    }

    void pausesAfterTheCurrentRun() {
        open({.stepTime = 50ms});
        QSignalSpy started(&*m_controller, &SweepController::runStarted);
        QSignalSpy finished(&*m_controller, &SweepController::runFinished);
        m_controller->start(plan());
        QVERIFY(started.wait());
        m_controller->pause();
        QVERIFY(m_controller->isPaused());
        QVERIFY(finished.wait());
        QTest::qWait(100);
        QCOMPARE(started.count(), 1);
        QVERIFY(!m_controller->isRunning());
        QSignalSpy ended(&*m_controller, &SweepController::sweepFinished);
        m_controller->resume();
        QVERIFY(ended.wait());
        QCOMPARE(finished.count(), 3);
    }

    void reordersTheQueue() {
        open({.stepTime = 50ms});
        QSignalSpy started(&*m_controller, &SweepController::runStarted);
        QSignalSpy ended(&*m_controller, &SweepController::sweepFinished);
        m_controller->start(plan());
        QVERIFY(started.wait());
        const QList<RunId> before = m_controller->queuedRuns();
        m_controller->moveQueued(before[1], 0);
        QCOMPARE(m_controller->queuedRuns(), (QList<RunId>{before[1], before[0]}));
        QVERIFY(ended.wait());
        QCOMPARE(started[1][0].value<RunId>(), before[1]);
    }

    void interruptedRunsAreOfferedAgain() {
        open({.stepTime = 1s});
        QSignalSpy started(&*m_controller, &SweepController::runStarted);
        QSignalSpy ended(&*m_controller, &SweepController::sweepFinished);
        m_controller->start(plan());
        QVERIFY(started.wait());
        m_controller->interrupt();
        QVERIFY(ended.wait());
        QCOMPARE(ended[0][0].value<SweepSummary>().interrupted, 3u);
        QCOMPARE(m_controller->interruptedRuns().size(), 3);
        reopen();
        QCOMPARE(m_controller->interruptedRuns().size(), 3);
        QSignalSpy again(&*m_controller, &SweepController::sweepFinished);
        m_controller->retry(m_controller->interruptedRuns());
        QVERIFY(again.wait());
        QCOMPARE(again[0][0].value<SweepSummary>().finished, 3u);
        QCOMPARE(m_controller->records().size(), 3u);
    }

    void closingInterruptsAndIsQuick() {
        open({.stepTime = 10s});
        QSignalSpy started(&*m_controller, &SweepController::runStarted);
        m_controller->start(plan());
        QVERIFY(started.wait());
        QElapsedTimer clock;
        clock.start();
        m_controller.reset();
        QVERIFY(clock.elapsed() < 1000);
        open();
        QCOMPARE(m_controller->interruptedRuns().size(), 3);
    }

    void newerPlansSupersedeOlderOnes() {
        open({.inspectTime = 50ms});
        QSignalSpy planned(&*m_controller, &SweepController::planned);
        Sweep sweep = ControllerFolder::sweep();
        for (int i = 0; i < 10; ++i) {
            m_controller->planSweep(sweep);
        }
        sweep.budgets = "64";
        const quint64 last = m_controller->planSweep(sweep);
        QVERIFY(planned.wait());
        QTest::qWait(100);
        QCOMPARE(planned.count(), 1);
        const auto plan = planned[0][0].value<SweepPlan>();
        QCOMPARE(plan.request, last);
        QCOMPARE(plan.runs.size(), 2u);
    }

    void plansWhileARunIsAtWork() {
        open({.stepTime = 10s});
        QSignalSpy started(&*m_controller, &SweepController::runStarted);
        m_controller->start(plan());
        QVERIFY(started.wait());
        QCOMPARE(plan().runs.size(), 3u);
    }

    void refusesWrongPlans() {
        open();
        QSignalSpy refused(&*m_controller, &SweepController::planRefused);
        Sweep sweep = ControllerFolder::sweep();
        sweep.models = {"no such model"};
        m_controller->planSweep(sweep);
        QVERIFY(refused.wait());
        QCOMPARE(refused[0][1].toString(), "model");
        QVERIFY(refused[0][2].toString().contains("no such model is not there"));
        sweep = ControllerFolder::sweep();
        sweep.text.file = "none.txt";
        m_controller->planSweep(sweep);
        QVERIFY(refused.wait());
        QCOMPARE(refused[1][1].toString(), "text.file");
        sweep = ControllerFolder::sweep();
        sweep.budgets = "64-";
        const quint64 request = m_controller->planSweep(sweep);
        QVERIFY(refused.wait());
        QCOMPARE(refused[2][0].value<quint64>(), request);
        QCOMPARE(refused[2][1].toString(), "budgets");
    }

    void refusesStoresThatAreNone() {
        (void)writeFile(m_folder->file("notes.txt").toStdString(), std::string(4096, 'x'));
        open();
        QSignalSpy refused(&*m_controller, &SweepController::storeRefused);
        m_controller->openStore(m_folder->file("notes.txt"));
        QVERIFY(refused.wait());
        QVERIFY(refused[0][1].toString().contains("is not a result store"));
        QCOMPARE(m_controller->storePath(), m_folder->store());  // the open one stays
        runToEnd();
    }

    void keepsTheStoreWhileRunsAreAtWork() {
        open({.stepTime = 1s});
        QSignalSpy started(&*m_controller, &SweepController::runStarted);
        m_controller->start(plan());
        QVERIFY(started.wait());
        QSignalSpy refused(&*m_controller, &SweepController::storeRefused);
        m_controller->openStore(m_folder->file("other.sqlite"));
        QVERIFY(refused.wait());
        QVERIFY(refused[0][1].toString().contains("cancel or finish"));
    }

    void needsAStoreToStart() {
        m_controller = std::make_unique<SweepController>(m_folder->options());
        QSignalSpy failed(&*m_controller, &SweepController::storeFailed);
        m_controller->start(plan());
        QVERIFY(failed.wait());
        QVERIFY(failed[0][0].toString().contains("No store is open"));
    }
};

QTEST_GUILESS_MAIN(QueueControlTest)
#include "queue_control_test.moc"
