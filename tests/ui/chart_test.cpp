// SPDX-License-Identifier: GPL-3.0-or-later
// One chart holds and draws its values: ticks, ranges, gaps, error bars, names, exports.
#include <QLineSeries>
#include <QSignalSpy>
#include <QTest>
#include <cmath>

#include "ui/charts/axis_ticks.h"
#include "ui/charts/chart_export.h"
#include "ui/charts/chart_view.h"
#include "ui/charts/plot_segments.h"

namespace kvist::ui {

namespace {

ChartSpec lineSpec(const std::vector<ChartPoint>& points, SeriesKind kind = SeriesKind::Measured) {
    ChartSpec spec;
    spec.id = QStringLiteral("line");
    spec.title = QStringLiteral("A line");
    spec.x.title = QStringLiteral("Budget");
    spec.y.title = QStringLiteral("Perplexity");
    spec.errorMeaning = QStringLiteral("± standard error");
    spec.series = {{QStringLiteral("Window"), kind, {}, points}};
    return spec;
}

QList<QPointF> drawnPoints(const Plot& plot) {
    QList<QPointF> points;
    for (QAbstractSeries* series : plot.series()) {
        points += static_cast<QXYSeries*>(series)->points();
    }
    return points;
}

}  // namespace

class ChartTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void ticksAreFewRoundAndInside_data() {
        QTest::addColumn<double>("minimum");
        QTest::addColumn<double>("maximum");
        QTest::addColumn<bool>("isLogarithmic");
        QTest::addColumn<bool>("isBytes");
        QTest::newRow("perplexity") << 29.3 << 36.9 << false << false;
        QTest::newRow("narrow") << 29.301 << 29.302 << false << false;
        QTest::newRow("from zero") << 0.0 << 118.0 << false << false;
        QTest::newRow("negative") << -0.02 << 0.13 << false << false;
        QTest::newRow("budgets") << 58.0 << 1130.0 << true << false;
        QTest::newRow("many powers") << 0.9 << 140000.0 << true << false;
        QTest::newRow("divergence") << 2.1e-7 << 4.0 << true << false;
        QTest::newRow("divergence within two decades") << 0.004 << 0.6 << true << false;
        QTest::newRow("less than an octave") << 500.0 << 700.0 << true << false;
        QTest::newRow("MiB") << 0.0 << 3.2e6 << false << true;
        QTest::newRow("GiB, logarithmic") << 1e6 << 9e9 << true << true;
    }

    void ticksAreFewRoundAndInside() {
        QFETCH(double, minimum);
        QFETCH(double, maximum);
        QFETCH(bool, isLogarithmic);
        QFETCH(bool, isBytes);
        ChartAxis axis;
        axis.scale = isLogarithmic ? AxisScale::Logarithmic : AxisScale::Linear;
        axis.format = isBytes ? AxisFormat::Bytes : AxisFormat::Plain;
        for (const int most : {3, 4, 5, 6}) {
            const AxisTicks ticks = ticksFor(axis, {minimum, maximum}, most);
            QVERIFY2(ticks.ticks.size() >= 3 &&
                         ticks.ticks.size() <= std::max<std::size_t>(5, static_cast<std::size_t>(most)),
                     qPrintable(QString::number(ticks.ticks.size())));
            QStringList labels;
            for (const AxisTick& tick : ticks.ticks) {
                QVERIFY(tick.value >= minimum - 1e-9 * std::abs(maximum));
                QVERIFY(tick.value <= maximum + 1e-9 * std::abs(maximum));
                QVERIFY(!labels.contains(tick.label));
                labels << tick.label;
            }
            QCOMPARE(ticks.unit.isEmpty(), !isBytes);
        }
    }

    void logarithmicTicksArePowersOfTwo() {
        ChartAxis axis;
        axis.scale = AxisScale::Logarithmic;
        QStringList labels;
        for (const AxisTick& tick : ticksFor(axis, {60, 1100}).ticks) {
            labels << tick.label;
        }
        QCOMPARE(labels, QStringList({"64", "128", "256", "512", "1024"}));
    }

    void zoomKeepsTheAnchor() {
        for (const AxisScale scale : {AxisScale::Linear, AxisScale::Logarithmic}) {
            const AxisRange range{10, 1000};
            const AxisRange closer = zoomed(range, scale, 100, 0.5);
            QCOMPARE(shareOf(closer, scale, 100), shareOf(range, scale, 100));
            QVERIFY(closer.minimum > range.minimum && closer.maximum < range.maximum);
            QCOMPARE(valueAt(range, scale, shareOf(range, scale, 300)), 300.0);
        }
    }

    void smallNumbersAreReadable() {
        ChartAxis axis;
        axis.scale = AxisScale::Logarithmic;
        const auto labelsOf = [&axis](double minimum, double maximum) {
            QStringList labels;
            for (const AxisTick& tick : ticksFor(axis, {minimum, maximum}, 6).ticks) {
                labels << tick.label;
            }
            return labels;
        };
        QCOMPARE(labelsOf(2.1e-7, 4), QStringList({"10⁻⁵", "0.001", "0.1"}));
        QCOMPARE(labelsOf(0.004, 0.6), QStringList({"0.01", "0.03", "0.1", "0.3"}));
        QCOMPARE(labelsOf(0.0015, 0.03), QStringList({"0.002", "0.005", "0.01", "0.02"}));
    }

    void gapsSplitTheLine() {
        const ChartSpec spec = lineSpec({{1, 5}, {2, 6}, {3, kNotMeasured}, {4, 7}, {5, 8}});
        const auto segments = segmentsOf(spec.series[0], spec.x, spec.y);
        QCOMPARE(segments.size(), std::size_t{2});
        QCOMPARE(segments[0], QList<QPointF>({{1, 5}, {2, 6}}));
        QCOMPARE(segments[1], QList<QPointF>({{4, 7}, {5, 8}}));
    }

    void decimationKeepsExtremes() {
        QList<QPointF> points;
        for (int index = 0; index < 100000; ++index) {
            points.append({static_cast<double>(index), index == 54321 ? 99.0 : std::sin(index * 0.01)});
        }
        const QList<QPointF> kept = decimated(points, 300);
        QVERIFY(kept.size() <= 4 * 301);
        QVERIFY(kept.contains(QPointF(54321, 99)));
        QCOMPARE(kept.front(), points.front());
        QCOMPARE(kept.back(), points.back());
        QCOMPARE(decimated(points.mid(0, 100), 300), points.mid(0, 100));
    }

    void seriesHoldTheStoredValues() {
        ChartView view;
        view.resize(600, 400);
        view.setSpec(lineSpec({{64, 30.123456789, 0.5}, {128, 25.5, 0.25}, {256, kNotMeasured}, {512, 22.25, 0.125}}));
        QCOMPARE(drawnPoints(*view.plot()), QList<QPointF>({{64, 30.123456789}, {128, 25.5}, {512, 22.25}}));
        view.setSpec(lineSpec({{64, 1}, {128, 2}, {256, kNotMeasured}, {512, 3}}));
        QCOMPARE(drawnPoints(*view.plot()), QList<QPointF>({{64, 1}, {128, 2}, {512, 3}}));
    }

    void errorBarsAreInTheRangeAndDrawn() {
        const ChartSpec spec = lineSpec({{1, 10, 3}, {2, 12, 4}});
        QVERIFY(rangeOfY(spec).minimum < 7);
        QVERIFY(rangeOfY(spec).maximum > 16);
        ChartSpec bare = lineSpec({{1, 10}, {2, 12}});
        ChartView with;
        ChartView without;
        for (ChartView* view : {&with, &without}) {
            view->resize(500, 300);
            view->show();
        }
        with.setSpec(spec);
        without.setSpec(bare);
        for (ChartView* view : {&with, &without}) {
            view->plot()->setRanges({0, 3}, {0, 20});
        }
        const QPoint onBar = with.plot()->positionOf(1, 12).toPoint();
        const QColor base = with.palette().color(QPalette::Base);
        QVERIFY(with.grab().toImage().pixelColor(onBar) != base);
        QCOMPARE(without.grab().toImage().pixelColor(onBar), base);
    }

    void barsDoNotReachBelowZeroWhereNothingCan() {
        ChartSpec spec = lineSpec({{1, 10, 30}, {2, 12, 4}});
        QVERIFY(rangeOfY(spec).minimum < 0);
        spec.y.fromZero = true;
        QCOMPARE(rangeOfY(spec).minimum, 0.0);
    }

    void followsUntilZoomed() {
        ChartView view;
        view.resize(500, 300);
        view.setSpec(lineSpec({{1, 1}, {2, 2}}));
        QSignalSpy spy(view.plot(), &Plot::followingChanged);
        view.setSpec(lineSpec({{1, 1}, {20, 2}}));
        QVERIFY(view.plot()->xRange().maximum > 20);
        QTest::keyClick(&view, Qt::Key_Plus);
        QVERIFY(!view.plot()->isFollowing());
        QCOMPARE(spy.count(), 1);
        const AxisRange zoomedRange = view.plot()->xRange();
        view.setSpec(lineSpec({{1, 1}, {50, 2}}));
        QCOMPARE(view.plot()->xRange(), zoomedRange);
        QTest::keyClick(&view, Qt::Key_Home);
        QVERIFY(view.plot()->isFollowing());
        QVERIFY(view.plot()->xRange().maximum > 50);
    }

    void crosshairFindsTheNearestPoint() {
        ChartView view;
        view.resize(500, 300);
        view.setSpec(lineSpec({{1, 1}, {2, 5}, {3, kNotMeasured}}));
        const QPointF at = view.plot()->positionOf(2, 5);
        QTest::mouseMove(view.viewport(), at.toPoint());
        const auto found = view.plot()->nearestPoint(at + QPointF(3, 3), 20);
        QVERIFY(found.has_value());
        QCOMPARE(found->point, 1);
        QVERIFY(!view.plot()->nearestPoint(at + QPointF(60, 60), 20).has_value());
    }

    void aRectangleIsZoomedInto() {
        ChartView view;
        view.resize(500, 300);
        view.show();
        view.setSpec(lineSpec({{0, 0}, {10, 10}}));
        const QPoint from = view.plot()->positionOf(2, 8).toPoint();
        const QPoint to = view.plot()->positionOf(6, 3).toPoint();
        QTest::mousePress(view.viewport(), Qt::LeftButton, Qt::ShiftModifier, from);
        QTest::mouseMove(view.viewport(), to);
        QTest::mouseRelease(view.viewport(), Qt::LeftButton, Qt::ShiftModifier, to);
        QVERIFY(!view.plot()->isFollowing());
        QVERIFY(std::abs(view.plot()->xRange().minimum - 2) < 0.1 && std::abs(view.plot()->xRange().maximum - 6) < 0.1);
        QVERIFY(std::abs(view.plot()->yRange().minimum - 3) < 0.1 && std::abs(view.plot()->yRange().maximum - 8) < 0.1);
        QTest::mouseDClick(view.viewport(), Qt::LeftButton, {}, to);
        QVERIFY(view.plot()->isFollowing());
    }

    void namesDimTheOthersAndHideTheirOwn() {
        ChartSpec spec = lineSpec({{1, 1}, {2, 2}});
        spec.series.push_back({QStringLiteral("Random"), SeriesKind::Measured, {1, 0}, {{1, 3}, {2, 4}}});
        ChartView view;
        view.resize(500, 300);
        view.setSpec(spec);
        const SeriesLabel first = view.plot()->chartLayout().labels.front();
        view.plot()->emphasize(&first);
        QVERIFY(!view.plot()->isSeriesDimmed(first.series.front()));
        QVERIFY(view.plot()->isSeriesDimmed(1 - first.series.front()));
        view.plot()->emphasize(nullptr);
        QVERIFY(!view.plot()->isSeriesDimmed(0) && !view.plot()->isSeriesDimmed(1));
        view.plot()->toggle(first);
        QVERIFY(view.plot()->isSeriesHidden(first.series.front()));
        const QString hidden = spec.series[static_cast<std::size_t>(first.series.front())].name;
        spec.series.insert(spec.series.begin(),
                           {QStringLiteral("H2O"), SeriesKind::Measured, {2, 0}, {{1, 5}, {2, 6}}});
        view.setSpec(spec);  // the same curve stays hidden where another one comes before it
        for (int series = 0; series < 3; ++series) {
            QCOMPARE(view.plot()->isSeriesHidden(series), spec.series[static_cast<std::size_t>(series)].name == hidden);
        }
    }

    void namesAreNeverOnEachOther_data() {
        QTest::addColumn<int>("count");
        QTest::addColumn<int>("width");
        for (const int count : {1, 3, 6, 12, 30}) {
            for (const int width : {260, 420, 900}) {
                QTest::addRow("%d series, %d wide", count, width) << count << width;
            }
        }
    }

    void namesAreNeverOnEachOther() {
        QFETCH(int, count);
        QFETCH(int, width);
        ChartSpec spec = lineSpec({});
        spec.series.clear();
        for (int index = 0; index < count; ++index) {
            spec.series.push_back({QStringLiteral("Attention score %1").arg(64 + index),
                                   SeriesKind::Measured,
                                   {0, index},
                                   {{1, 10.0 + 0.01 * index}, {2, 9.0 + 0.5 * index}}});
        }
        const QFontMetricsF metrics{QFont()};
        const QRectF area(0, 0, width, 300);
        const ChartLayout layout = layOutChart(spec, rangeOfX(spec), rangeOfY(spec), area, metrics);
        std::vector<int> named;
        for (const SeriesLabel& label : layout.labels) {
            QCOMPARE(label.hasSwatch, label.series.size() == 1);
            named.insert(named.end(), label.series.begin(), label.series.end());
        }
        std::sort(named.begin(), named.end());
        QCOMPARE(named.size(), static_cast<std::size_t>(count));
        QVERIFY(std::adjacent_find(named.begin(), named.end()) == named.end());
        for (std::size_t one = 0; one < layout.labels.size(); ++one) {
            QVERIFY(area.contains(layout.labels[one].area));
            QVERIFY(!layout.labels[one].text.contains(QChar(0x2026)));
            for (std::size_t other = one + 1; other < layout.labels.size(); ++other) {
                QVERIFY(!layout.labels[one].area.adjusted(1, 1, -1, -1).intersects(layout.labels[other].area));
            }
        }
        QVERIFY(layout.plot.height() > 0.35 * area.height());
    }

    void csvHoldsEveryPointExactly() {
        const ChartSpec spec = lineSpec({{64, 1.0 / 3, 0.1}, {128, kNotMeasured}});
        const QString csv = QString::fromUtf8(chartCsv(spec));
        QCOMPARE(csv, QStringLiteral("series,Budget,Perplexity,± standard error,note\r\n"
                                     "Window,64,0.3333333333333333,0.1,\r\nWindow,128,,,\r\n"));
    }

    void svgHoldsTheSame() {
        const QString svg = QString::fromUtf8(chartSvg(lineSpec({{1, 1, 0.5}, {2, 2, 0.5}})));
        QVERIFY(svg.contains(QStringLiteral("<title>A line</title>")));
        QVERIFY(svg.contains(QStringLiteral("Perplexity")) &&
                svg.contains(QStringLiteral("#0072b2"), Qt::CaseInsensitive));
    }

    void pictureIsLightAndScales() {
        const ChartSpec spec = lineSpec({{1, 1, 0.5}, {2, 2, 0.5}});
        const QImage once = chartImage(spec, 1);
        const QImage twice = chartImage(spec, 2);
        QVERIFY(std::abs(twice.width() - 2 * once.width()) <= 1);
        QCOMPARE(once.pixelColor(1, 1), QColor(Qt::white));
        int drawn = 0;
        for (int x = 0; x < twice.width(); ++x) {
            for (int y = 0; y < twice.height(); ++y) {
                drawn += twice.pixelColor(x, y) == QColor(0x00, 0x72, 0xB2) ? 1 : 0;
            }
        }
        QVERIFY2(drawn > 500, qPrintable(QString::number(drawn)));
    }
};

}  // namespace kvist::ui

QTEST_MAIN(kvist::ui::ChartTest)
#include "chart_test.moc"
