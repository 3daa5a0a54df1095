// SPDX-License-Identifier: GPL-3.0-or-later
// The window while real weights are at work: the event loop never stands still, and a cancel is back at once.
#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

#include "tests/ui/support/gap_meter.h"
#include "tests/ui/support/window_fixture.h"

namespace kvist::ui {

using experiments::Sweep;
using experiments::SweepController;
using experiments::SweepPlan;

class RealWeightsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        test::isolateSettings();
        m_model = qEnvironmentVariable("KVIST_QWEN_05B");
        if (m_model.isEmpty()) {
            QSKIP("KVIST_QWEN_05B names no folder with the weights");
        }
    }

    void theWindowStaysResponsive() {
        test::WindowFixture fixture([] { return makeEngine(); });
        fixture.waitUntilReady();
        QSignalSpy finished(&fixture.controller(), &SweepController::sweepFinished);
        test::GapMeter gaps;
        start(fixture.controller());
        QVERIFY(finished.wait(600000));
        for (const auto& record : fixture.controller().records()) {
            QVERIFY2(record.state == experiments::RunState::Finished, record.errorMessage.c_str());
        }
        const qint64 worst = gaps.percentile(0.999);
        QVERIFY2(worst <= 100, qPrintable(QStringLiteral("the event loop stood still for %1 ms").arg(worst)));
    }

    void cancelIsBackWithinASecond() {
        test::WindowFixture fixture([] { return makeEngine(); });
        fixture.waitUntilReady();
        for (const int wait : {300, 1500, 6000}) {
            QSignalSpy started(&fixture.controller(), &SweepController::runStarted);
            QSignalSpy finished(&fixture.controller(), &SweepController::sweepFinished);
            start(fixture.controller());
            QVERIFY(started.count() > 0 || started.wait(60000));
            QTest::qWait(wait);
            QElapsedTimer clock;
            clock.start();
            fixture.controller().cancelSweep();
            QVERIFY(finished.wait(10000));
            QVERIFY2(clock.elapsed() <= 1000, qPrintable(QStringLiteral("%1 ms").arg(clock.elapsed())));
        }
    }

private:
    void start(SweepController& controller) {
        Sweep sweep;
        sweep.name = "Real weights";
        sweep.models = {m_model.toStdString()};
        sweep.dtype = "bfloat16";
        sweep.text.file = std::string(KVIST_RESOURCES) + "/texts/wiki.test.raw";
        sweep.contexts = {{"2048", "512"}};
        sweep.budgets = "512";
        sweep.policies = {{"full", {}}, {"attention-score", {}}};
        sweep.evaluations = {{"perplexity", {}, {}}, {"speed", "4096", {}}};
        QSignalSpy planned(&controller, &SweepController::planned);
        const quint64 request = controller.planSweep(sweep);
        while (planned.isEmpty() || planned.last()[0].value<SweepPlan>().request != request) {
            QVERIFY(planned.wait(60000));
        }
        controller.start(planned.last()[0].value<SweepPlan>());
    }

    QString m_model;
};

}  // namespace kvist::ui

QTEST_MAIN(kvist::ui::RealWeightsTest)
#include "real_weights_test.moc"
