// SPDX-License-Identifier: GPL-3.0-or-later
#include <QElapsedTimer>
#include <QProcess>
#include <QSignalSpy>
#include <QTest>

#include "experiments/sweep_controller.h"
#include "tests/experiments/controller_fixture.h"

using namespace kvist;
using namespace kvist::experiments;

/// A second program on the same store, killed in the middle of its sweep.
class CrashTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder = std::make_unique<ControllerFolder>(); }

    void killedSweepIsTakenUpAgain() {
        startChild(60);
        waitFor("finished 1");
        waitFor("started 2");
        m_child.kill();
        QVERIFY(m_child.waitForFinished());

        SweepController controller(m_folder->options());
        open(controller);
        QCOMPARE(controller.records().size(), 3u);
        QCOMPARE(controller.record(1)->state, RunState::Finished);
        QCOMPARE(controller.details(1).tokenNll.size(), 64u);
        QCOMPARE(controller.record(2)->state, RunState::Interrupted);
        QVERIFY(!controller.record(2)->startedAt.empty());
        QCOMPARE(controller.interruptedRuns(), (QList<RunId>{2, 3}));

        QSignalSpy ended(&controller, &SweepController::sweepFinished);
        controller.retry(controller.interruptedRuns());
        QVERIFY(ended.wait());
        QCOMPARE(ended[0][0].value<SweepSummary>().finished, 2u);
        QVERIFY(controller.record(2)->metrics.contains("delta_nll"));
        compareWithUninterrupted(controller);
    }

    void sameSweepResumes() {
        startChild(60);
        waitFor("started 2");
        m_child.kill();
        QVERIFY(m_child.waitForFinished());
        SweepController controller(m_folder->options());
        open(controller);
        runSweep(controller);
        QCOMPARE(controller.records().size(), 3u);  // the interrupted rows were used
        compareWithUninterrupted(controller);
    }

    void livingProgramKeepsItsRuns() {
        startChild(100);
        waitFor("started 1");
        SweepController controller(m_folder->options());
        open(controller);
        QVERIFY(controller.interruptedRuns().isEmpty());
        QCOMPARE(controller.record(1)->state, RunState::Running);
        QCOMPARE(controller.record(2)->state, RunState::Queued);

        Sweep other = ControllerFolder::sweep();  // both write to one store at the same time
        other.contexts = {{"64", "32"}};
        runSweep(controller, other);
        QCOMPARE(controller.records().size(), 6u);
        QVERIFY(m_child.waitForFinished(20000));
        QCOMPARE(m_child.exitCode(), 0);

        SweepController later(m_folder->options());
        open(later);
        QCOMPARE(later.records().size(), 6u);
        for (const RunRecord& record : later.records()) {
            QCOMPARE(record.state, RunState::Finished);
        }
    }

private:
    void startChild(int stepMs) {
        m_child.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        m_child.start(KVIST_SWEEP_CHILD, {m_folder->store(), m_folder->file(""), QString::number(stepMs)});
        QVERIFY(m_child.waitForStarted());
        m_output.clear();
    }

    void waitFor(const QByteArray& line) {
        QElapsedTimer clock;
        clock.start();
        while (!m_output.contains(line) && clock.elapsed() < 20000) {
            m_child.waitForReadyRead(1000);
            m_output += m_child.readAllStandardOutput();
        }
        QVERIFY2(m_output.contains(line), line.constData());
    }

    static void open(SweepController& controller, const QString& path) {
        QSignalSpy opened(&controller, &SweepController::storeOpened);
        controller.openStore(path);
        QVERIFY(opened.wait());
    }
    void open(SweepController& controller) { open(controller, m_folder->store()); }

    static void runSweep(SweepController& controller, const Sweep& sweep = ControllerFolder::sweep()) {
        QSignalSpy planned(&controller, &SweepController::planned);
        QSignalSpy ended(&controller, &SweepController::sweepFinished);
        controller.planSweep(sweep);
        QVERIFY(planned.wait());
        controller.start(planned[0][0].value<SweepPlan>());
        QVERIFY(ended.wait(20000));
    }

    /// The results equal those of a sweep in one go, bit for bit.
    void compareWithUninterrupted(SweepController& controller) {
        SweepController whole(m_folder->options());
        open(whole, m_folder->file("whole.sqlite"));
        runSweep(whole);
        for (const RunRecord& record : whole.records()) {
            const RunRecord* resumed = controller.record(record.id);
            QCOMPARE(resumed->key, record.key);
            QCOMPARE(resumed->metric("nll"), record.metric("nll"));
            QCOMPARE(resumed->metric("kv_payload_bytes"), record.metric("kv_payload_bytes"));
            QVERIFY(controller.details(record.id).tokenNll == whole.details(record.id).tokenNll);
        }
    }

    std::unique_ptr<ControllerFolder> m_folder;
    QProcess m_child;
    QByteArray m_output;
};

QTEST_GUILESS_MAIN(CrashTest)
#include "crash_test.moc"
