// SPDX-License-Identifier: GPL-3.0-or-later
#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>
#include <atomic>
#include <cmath>
#include <new>

#include "experiments/store_connection.h"
#include "experiments/sweep_controller.h"
#include "tests/experiments/controller_bench.h"

using namespace kvist;
using namespace kvist::experiments;
using namespace std::chrono_literals;

/// The controller over a fake engine: what runs give, and what goes wrong.
class SweepControllerTest : public QObject, protected ControllerBench {
    Q_OBJECT

private Q_SLOTS:
    void init() { reset(); }
    void cleanup() { m_controller.reset(); }

    void runsASweep() {
        open();
        QSignalSpy started(&*m_controller, &SweepController::runStarted);
        QSignalSpy progressed(&*m_controller, &SweepController::runProgressed);
        QSignalSpy finished(&*m_controller, &SweepController::runFinished);
        runToEnd();
        QCOMPARE(finished.count(), 3);
        QCOMPARE(started.count(), 3);
        QVERIFY(progressed.count() >= 3);
        QCOMPARE(m_summary.finished, 3u);
        QVERIFY(!m_controller->isRunning());
        QCOMPARE(m_controller->records().size(), 3u);
        QCOMPARE(m_controller->sweepRuns().size(), 3);
        for (const RunRecord& record : m_controller->records()) {
            QCOMPARE(record.state, RunState::Finished);
            QCOMPARE(record.sweep, "Plain");
            QCOMPARE(record.programVersion, "0.1-test");
            QVERIFY(!record.startedAt.empty());
            QCOMPARE(record.metrics.contains("delta_nll"), !record.isBaseline());
            const RunDetails details = m_controller->details(record.id);
            QCOMPARE(details.tokenNll.size(), 64u);
            QCOMPARE(details.curves.at("kv_payload_bytes").x.size(), 6u);
        }
        QVERIFY(m_controller->records()[1].metric("delta_nll") > m_controller->records()[2].metric("delta_nll"));
    }

    void deliversEveryPointAndTheLast() {
        open({.stepTime = 3ms});
        std::map<RunId, Curve> curves;
        std::map<RunId, RunProgress> last;
        connect(&*m_controller, &SweepController::runProgressed, this, [&](const RunProgress& progress) {
            for (const auto& [name, curve] : progress.points) {
                Curve& whole = curves[progress.id];
                if (name == "kv_payload_bytes") {
                    whole.x.insert(whole.x.end(), curve.x.begin(), curve.x.end());
                    whole.y.insert(whole.y.end(), curve.y.begin(), curve.y.end());
                }
            }
            last[progress.id] = progress;
        });
        runToEnd();
        for (const RunRecord& record : m_controller->records()) {
            QVERIFY(curves[record.id] == m_controller->details(record.id).curves.at("kv_payload_bytes"));
            QCOMPARE(last[record.id].done, 192);
            QCOMPARE(last[record.id].total, 192);
        }
    }

    void updatesAtMostTwentyTimesASecond() {
        Sweep sweep = ControllerFolder::sweep();
        sweep.policies.pop_back();
        sweep.contexts = {{"0", "500"}};
        sweep.chunk = 1;
        open({.stepTime = 1ms});
        QElapsedTimer clock;
        QSignalSpy progressed(&*m_controller, &SweepController::runProgressed);
        clock.start();
        runToEnd(sweep);
        const double seconds = static_cast<double>(clock.elapsed()) / 1000;
        QVERIFY(seconds > 0.4);
        QVERIFY2(progressed.count() <= 20 * seconds + 4, qPrintable(QString::number(progressed.count())));
        QVERIFY(progressed.count() >= 4);
    }

    void skipsOrRepeatsStoredRuns() {
        open();
        runToEnd();
        const SweepPlan again = plan();
        QCOMPARE(again.storedCount(), 3u);
        QCOMPARE(again.newCount(), 0u);
        QSignalSpy started(&*m_controller, &SweepController::runStarted);
        startAndWait(again);
        QCOMPARE(started.count(), 0);
        QCOMPARE(m_controller->sweepRuns().size(), 3);  // they answer the plan all the same
        startAndWait(again, StoredRuns::Repeat);
        QCOMPARE(started.count(), 3);
        QCOMPARE(m_controller->records().size(), 6u);
    }

    void reusesTheStoredBaseline() {
        open();
        runToEnd();
        Sweep more = ControllerFolder::sweep();
        more.policies = {{.id = "attention-score", .parameters = {{"recent", "8"}}}};
        const SweepPlan plan = this->plan(more);
        QCOMPARE(plan.newCount(), 2u);
        startAndWait(plan);
        QVERIFY(m_controller->records().back().metrics.contains("delta_nll"));
    }

    void goesOnAfterFailedRuns_data() {
        QTest::addColumn<int>("way");
        QTest::addColumn<ErrorKind>("kind");
        QTest::newRow("engine error") << 0 << ErrorKind::Numerical;
        QTest::newRow("out of memory") << 1 << ErrorKind::OutOfMemory;
        QTest::newRow("other exception") << 2 << ErrorKind::Internal;
    }
    void goesOnAfterFailedRuns() {
        QFETCH(int, way);
        QFETCH(ErrorKind, kind);
        open({.beforeRun = [way](const RunConfig& config) {
            if (config.budget != 32) {
                return;
            }
            if (way == 0) {
                throw EngineError(ErrorKind::Numerical, "NaN in layer 3 at step 7");
            }
            if (way == 1) {
                throw std::bad_alloc();
            }
            throw std::runtime_error("something else");
        }});
        QSignalSpy failed(&*m_controller, &SweepController::runFailed);
        runToEnd();
        QCOMPARE(failed.count(), 1);
        QCOMPARE(failed[0][1].value<ErrorKind>(), kind);
        QVERIFY(!failed[0][2].toString().isEmpty());
        QCOMPARE(m_summary.finished, 2u);
        QCOMPARE(m_summary.failed, 1u);
        const RunRecord& record = m_controller->records()[1];
        QCOMPARE(record.state, RunState::Failed);
        QCOMPARE(record.errorKind, toString(kind));
        QCOMPARE(record.errorMessage, failed[0][2].toString().toStdString());
        QCOMPARE(m_controller->records()[2].state, RunState::Finished);
    }

    void storesRefusedCombinationsAsFailed() {
        open();
        Sweep sweep = ControllerFolder::sweep();
        sweep.budgets = "2, 64";
        QSignalSpy failed(&*m_controller, &SweepController::runFailed);
        QCOMPARE(plan(sweep).refusedCount(), 1u);
        runToEnd(sweep);
        QCOMPARE(failed.count(), 1);
        QCOMPARE(m_summary.failed, 1u);
        QCOMPARE(m_summary.finished, 2u);
        QVERIFY(!m_controller->records()[1].errorMessage.empty());
        runToEnd(sweep);
        QCOMPARE(m_controller->records().size(), 3u);  // not a second row for the same refusal
    }

    void retriesFailedRuns() {
        auto isBroken = std::make_shared<std::atomic<bool>>(true);
        open({.beforeRun = [isBroken](const RunConfig& config) {
            if (*isBroken && config.policy == "full") {
                throw EngineError(ErrorKind::Device, "unplugged");
            }
        }});
        runToEnd();
        const RunId failed = m_controller->records()[0].id;
        QVERIFY(!m_controller->records()[1].metrics.contains("delta_nll"));
        *isBroken = false;
        QSignalSpy ended(&*m_controller, &SweepController::sweepFinished);
        m_controller->retry({failed, m_controller->records()[1].id});  // a finished run is not retried
        QVERIFY(ended.wait());
        QCOMPARE(m_controller->record(failed)->state, RunState::Finished);
        QVERIFY(m_controller->record(failed)->errorMessage.empty());
        QCOMPARE(m_controller->records().size(), 3u);
        QVERIFY(m_controller->records()[1].metrics.contains("delta_nll"));  // the late baseline reached it
    }

    void pausesWhenTheStoreFailsAndLosesNothing() {
        open();
        const SweepPlan plan = this->plan();
        StoreConnection saboteur(m_folder->store().toStdString(), StoreConnection::Access::ReadWrite);
        saboteur.exec(
            "CREATE TRIGGER full BEFORE UPDATE ON runs WHEN NEW.state = 'finished' "
            "BEGIN SELECT RAISE(ABORT, 'no room'); END");
        QSignalSpy failed(&*m_controller, &SweepController::storeFailed);
        QSignalSpy started(&*m_controller, &SweepController::runStarted);
        QSignalSpy ended(&*m_controller, &SweepController::sweepFinished);
        m_controller->start(plan);
        QVERIFY(failed.wait());
        QVERIFY(failed[0][0].toString().contains("no room"));
        QVERIFY(m_controller->isPaused());
        QCOMPARE(m_controller->queuedRuns().size(), 2);
        saboteur.exec("DROP TRIGGER full");
        m_controller->resume();
        QVERIFY(ended.wait());
        QCOMPARE(ended[0][0].value<SweepSummary>().finished, 3u);
        QCOMPARE(started.count(), 3);  // what was measured before is not measured again
    }

    void givesUpAResultThatCannotBeStored() {
        open();
        const SweepPlan plan = this->plan();
        StoreConnection saboteur(m_folder->store().toStdString(), StoreConnection::Access::ReadWrite);
        saboteur.exec("CREATE TRIGGER full BEFORE UPDATE ON runs BEGIN SELECT RAISE(ABORT, 'no room'); END");
        QSignalSpy failed(&*m_controller, &SweepController::storeFailed);
        QSignalSpy ended(&*m_controller, &SweepController::sweepFinished);
        m_controller->start(plan);
        QVERIFY(failed.wait());  // nothing could even be queued
        QVERIFY(m_controller->queuedRuns().isEmpty());
        QTRY_COMPARE(ended.count(), 1);
        saboteur.exec("DROP TRIGGER full");
        saboteur.exec(
            "CREATE TRIGGER full BEFORE UPDATE ON runs WHEN NEW.state = 'finished' "
            "BEGIN SELECT RAISE(ABORT, 'no room'); END");
        m_controller->start(plan);
        QTRY_COMPARE(failed.count(), 2);
        m_controller->interrupt();
        QTRY_COMPARE(ended.count(), 2);
        QCOMPARE(ended[1][0].value<SweepSummary>().interrupted, 3u);
    }

    void tellsHowFarItIs() {
        open({.stepTime = 5ms});
        std::vector<SweepProgress> seen;
        connect(&*m_controller, &SweepController::runProgressed, this,
                [&] { seen.push_back(m_controller->progress()); });
        runToEnd();
        QVERIFY(!seen.empty());
        QCOMPARE(seen.front().total, 3u);
        double fraction = 0;
        for (const SweepProgress& progress : seen) {
            QVERIFY(progress.fraction >= 0 && progress.fraction <= 1);
            fraction = std::max(fraction, progress.fraction);
        }
        QVERIFY(fraction > 0.6);
        QVERIFY(std::isfinite(seen.back().secondsLeft));
        QVERIFY(seen.back().done >= 1);
    }
};

QTEST_GUILESS_MAIN(SweepControllerTest)
#include "sweep_controller_test.moc"
