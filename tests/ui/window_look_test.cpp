// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of the window, empty, running and finished, in both themes, and a walk over all widgets that
// fails on what is cut off or lies on something else. A second run has QT_SCALE_FACTOR=2.
#include <QDir>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTest>

#include "tests/support/fake_engine.h"
#include "tests/ui/support/layout_check.h"
#include "tests/ui/support/window_fixture.h"
#include "ui/docks/chart_area.h"
#include "ui/docks/runs_panel.h"

namespace kvist::ui {

class WindowLookTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        test::isolateSettings();
        QVERIFY(QDir().mkpath(QStringLiteral(KVIST_SCREENSHOTS)));
    }

    void window_data() {
        QTest::addColumn<int>("theme");
        QTest::newRow("light") << static_cast<int>(ThemeChoice::Light);
        QTest::newRow("dark") << static_cast<int>(ThemeChoice::Dark);
    }

    void window() {
        QFETCH(int, theme);
        test::FakeBehaviour behaviour;
        behaviour.stepTime = std::chrono::milliseconds(3);
        test::WindowFixture fixture(test::fakeEngineFactory(behaviour));
        fixture.theme().setChoice(static_cast<ThemeChoice>(theme));
        fixture.window().resize(1280, 800);
        fixture.waitUntilReady();
        fixture.settle();
        QCOMPARE(fixture.window().size(), QSize(1280, 800));
        look(fixture, "empty");

        QSignalSpy finished(&fixture.controller(), &experiments::SweepController::sweepFinished);
        QSignalSpy done(&fixture.controller(), &experiments::SweepController::runFinished);
        QTest::mouseClick(fixture.find<QPushButton>(QStringLiteral("start")), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(done.count() >= 3, 30000);
        QTest::qWait(300);
        look(fixture, "running");
        QVERIFY(finished.count() > 0 || finished.wait(60000));
        fixture.settle();
        look(fixture, "finished");

        fixture.find<RunsPanel>()->table()->selectRow(1);
        fixture.settle();
        look(fixture, "selected");
        auto* charts = fixture.find<ChartArea>();
        for (int tab = 1; tab < charts->count(); ++tab) {
            charts->setCurrentIndex(tab);
            fixture.settle();
            look(fixture, qPrintable(QStringLiteral("tab%1").arg(tab)));
        }
    }

private:
    void look(test::WindowFixture& fixture, const char* state) {
        const qreal scale = fixture.window().devicePixelRatioF();
        const QString name =
            QStringLiteral("%1/%2_%3_%4x.png")
                .arg(QStringLiteral(KVIST_SCREENSHOTS), QLatin1String(QTest::currentDataTag()), QLatin1String(state))
                .arg(scale);
        QVERIFY(fixture.window().grab().save(name));
        const QStringList problems = test::layoutProblems(fixture.window());
        QVERIFY2(problems.isEmpty(), qPrintable(QStringLiteral("%1:\n%2").arg(name, problems.join('\n'))));
    }
};

}  // namespace kvist::ui

QTEST_MAIN(kvist::ui::WindowLookTest)
#include "window_look_test.moc"
