// SPDX-License-Identifier: GPL-3.0-or-later
// The preset on the demo model with the real engine: one click, then charts hold what was stored; the event
// loop never stands still. Leaves the picture of the finished window beside the other screenshots.
#include <QDir>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include "tests/ui/support/gap_meter.h"
#include "tests/ui/support/layout_check.h"
#include "tests/ui/support/window_fixture.h"
#include "ui/docks/chart_area.h"
#include "ui/docks/runs_panel.h"

namespace kvist::ui {

class DemoSweepTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        test::isolateSettings();
        QVERIFY(QDir().mkpath(QStringLiteral(KVIST_SCREENSHOTS)));
    }

    void presetRunsAndStaysResponsive() {
        test::WindowFixture fixture([] { return makeEngine(); });
        fixture.theme().setChoice(ThemeChoice::Light);
        fixture.window().resize(1280, 800);
        fixture.waitUntilReady();
        QSignalSpy firstDone(&fixture.controller(), &experiments::SweepController::runFinished);
        QSignalSpy finished(&fixture.controller(), &experiments::SweepController::sweepFinished);
        test::GapMeter gaps;
        QTest::mouseClick(fixture.find<QPushButton>(QStringLiteral("start")), Qt::LeftButton);
        QVERIFY(firstDone.count() > 0 || firstDone.wait(30000));
        QVERIFY(finished.count() > 0 || finished.wait(240000));
        const qint64 worst = gaps.percentile(0.999);
        fixture.settle();

        int points = 0;
        for (const auto& record : fixture.controller().records()) {
            QVERIFY2(record.state == experiments::RunState::Finished, record.errorMessage.c_str());
            points += record.config.evaluation == "perplexity" && record.config.budget > 0 ? 1 : 0;
        }
        const ChartSpec chart = fixture.find<ChartArea>()->specs().front();
        int drawn = 0;
        for (const ChartSeries& series : chart.series) {
            drawn += series.style.isBaseline ? 0 : static_cast<int>(series.points.size());
        }
        QCOMPARE(drawn, points);
        QVERIFY(points > 0);

        const QString folder = QStringLiteral(KVIST_SCREENSHOTS);
        QVERIFY(fixture.window().grab().save(folder + QStringLiteral("/demo_light.png")));
        fixture.theme().setChoice(ThemeChoice::Dark);
        fixture.find<RunsPanel>()->table()->selectRow(2);
        fixture.settle();
        QVERIFY(fixture.window().grab().save(folder + QStringLiteral("/demo_dark.png")));
        const QStringList problems = test::layoutProblems(fixture.window());
        QVERIFY2(problems.isEmpty(), qPrintable(problems.join(QLatin1Char('\n'))));
        QVERIFY2(worst <= 100, qPrintable(QStringLiteral("the event loop stood still for %1 ms").arg(worst)));
    }
};

}  // namespace kvist::ui

QTEST_MAIN(kvist::ui::DemoSweepTest)
#include "demo_sweep_test.moc"
