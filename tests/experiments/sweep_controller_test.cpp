// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/sweep_controller.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>
#include <atomic>
#include <cmath>
#include <new>
#include <thread>

#include "tests/experiments/controller_fixture.h"

using namespace kvist;
using namespace kvist::experiments;
using namespace std::chrono_literals;

/// The controller over a fake engine, as window and headless runner use it.
class SweepControllerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder = std::make_unique<ControllerFolder>(); }
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
        open({.stepTime = 5ms});
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
        open({.stepTime = 5ms});
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

    void inspectsModels() {
        open();
        QSignalSpy inspected(&*m_controller, &SweepController::modelInspected);
        QSignalSpy refused(&*m_controller, &SweepController::modelRefused);
        m_controller->inspectModel(m_folder->file("model"));
        QVERIFY(inspected.wait());
        QCOMPARE(inspected[0][1].value<ModelInfo>().name, "model");
        QCOMPARE(inspected[0][2].value<MachineInfo>().cores, 2);
        m_controller->inspectModel(m_folder->file("book.txt"));
        QVERIFY(refused.wait());
        QVERIFY(refused[0][1].toString().contains("book.txt"));
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

private:
    void open(test::FakeBehaviour behaviour = {}) {
        m_controller = std::make_unique<SweepController>(m_folder->options(std::move(behaviour)));
        QSignalSpy opened(&*m_controller, &SweepController::storeOpened);
        m_controller->openStore(m_folder->store());
        QVERIFY(opened.wait());
    }
    void reopen() {
        m_controller.reset();
        open();
    }
    SweepPlan plan(const Sweep& sweep = ControllerFolder::sweep()) {
        QSignalSpy planned(&*m_controller, &SweepController::planned);
        m_controller->planSweep(sweep);
        return planned.wait() ? planned[0][0].value<SweepPlan>() : SweepPlan{};
    }
    void startAndWait(const SweepPlan& plan, StoredRuns stored = StoredRuns::Skip) {
        QSignalSpy ended(&*m_controller, &SweepController::sweepFinished);
        m_controller->start(plan, stored);
        QVERIFY(ended.wait(20000));
        m_summary = ended[0][0].value<SweepSummary>();
    }
    void runToEnd(const Sweep& sweep = ControllerFolder::sweep()) { startAndWait(plan(sweep)); }

    std::unique_ptr<ControllerFolder> m_folder;
    std::unique_ptr<SweepController> m_controller;
    SweepSummary m_summary;
};

QTEST_GUILESS_MAIN(SweepControllerTest)
#include "sweep_controller_test.moc"
