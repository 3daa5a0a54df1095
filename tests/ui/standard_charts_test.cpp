// SPDX-License-Identifier: GPL-3.0-or-later
// The standard charts say what the runs say: which share a curve, what stands beside a speed, what is left out.
#include <QTest>

#include "tests/ui/support/sample_runs.h"
#include "ui/charts/axis_ticks.h"
#include "ui/charts/standard_charts.h"
#include "ui/charts/store_text.h"

namespace kvist::ui {

namespace {

ChartInput inputOf(const std::vector<experiments::RunRecord>& records) {
    ChartInput input;
    for (const auto& record : records) {
        input.runs.push_back(&record);
    }
    return input;
}

const ChartSeries& seriesNamed(const ChartSpec& spec, const QString& name) {
    for (const ChartSeries& series : spec.series) {
        if (series.name.startsWith(name)) {
            return series;
        }
    }
    qFatal("no series %s in %s", qPrintable(name), qPrintable(spec.id));
}

}  // namespace

class StandardChartsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void perplexityChartShowsRecords() {
        const auto records = test::sampleRuns();
        const ChartSpec spec = perplexityChart(inputOf(records));
        QCOMPARE(spec.series.size(), std::size_t{3});
        const ChartSeries& window = seriesNamed(spec, QStringLiteral("Window"));
        QCOMPARE(window.points.size(), std::size_t{3});
        QCOMPARE(window.points[0].x, 64.0);
        QCOMPARE(window.points[0].y, 30.0);
        QCOMPARE(window.points[0].error, 0.25);
        const ChartSeries& full = seriesNamed(spec, QStringLiteral("Full"));
        QVERIFY(full.style.isBaseline);
        QCOMPARE(full.points.front().y, 20.0);
        QCOMPARE(full.points.back().y, 20.0);
        QVERIFY(spec.caption.join(QLatin1Char(' ')).contains(QStringLiteral("book.txt")));
    }

    void curvesSayHowEntriesAreHeld() {
        auto records = test::sampleRuns();
        records.push_back(test::perplexityRun(90, "window", 512, 18));
        records.back().config.store = "kivi";
        records.back().config.storeParameters = {{"key_bits", std::string("2")}, {"value_bits", std::string("4")}};
        records.push_back(test::perplexityRun(91, "full", 0, 20));
        records.back().config.store = "kivi";
        const ChartSpec spec = perplexityChart(inputOf(records));
        QCOMPARE(spec.series.size(), std::size_t{5});
        QVERIFY(storeText(records[records.size() - 2].config).endsWith(QStringLiteral(" 2/4 bit")));
        QVERIFY(!seriesNamed(spec, QStringLiteral("Full cache, ")).style.isBaseline);
        QCOMPARE(methodText(records.front().config), policyTitle(records.front().config.policy));
    }

    void differentSettingsNeverShareACurve() {
        auto records = test::sampleRuns();
        records.push_back(test::perplexityRun(90, "window", 512, 18));
        records.back().config.chunk = 1;
        const ChartSpec spec = perplexityChart(inputOf(records));
        QCOMPARE(spec.series.size(), std::size_t{4});
        QVERIFY(seriesNamed(spec, QStringLiteral("Window, chunk 1")).points.size() == 1);
    }

    void protocolsNeverShareACurve() {
        auto records = test::sampleRuns();
        records.push_back(test::perplexityRun(90, "window", 512, 18));
        records.back().config.evaluationParameters["divergence"] = true;
        QCOMPARE(perplexityChart(inputOf(records)).series.size(), std::size_t{3});  // more figures of the same
        const std::size_t memories = memoryChart(inputOf(records)).series.size();
        records.push_back(test::perplexityRun(91, "window", 512, 18));
        records.back().config.evaluationParameters["protocol"] = std::string("prefill-then-score");
        const ChartSpec spec = perplexityChart(inputOf(records));
        QCOMPARE(spec.series.size(), std::size_t{4});
        QCOMPARE(seriesNamed(spec, QStringLiteral("Window, prefill-then-score")).points.size(), std::size_t{1});
        QCOMPARE(memoryChart(inputOf(records)).series.size(), memories + 1);
    }

    void repeatsBecomeTheirMean() {
        auto records = test::sampleRuns();
        records.push_back(test::perplexityRun(91, "window", 64, 32));
        records.back().config.repeat = 1;
        const ChartSpec spec = perplexityChart(inputOf(records));
        QCOMPARE(seriesNamed(spec, QStringLiteral("Window")).points[0].y, 31.0);
    }

    void unfinishedRunsAreNotDrawn() {
        auto records = test::sampleRuns();
        for (auto& record : records) {
            record.state = experiments::RunState::Failed;
        }
        for (const ChartSpec& spec : standardCharts(inputOf(records))) {
            QVERIFY2(spec.isEmpty(), qPrintable(spec.id));
        }
    }

    void speedNeverStandsWithoutItsQuality() {
        const auto records = test::sampleRuns();
        const ChartSpec spec = speedChart(inputOf(records));
        QVERIFY(seriesNamed(spec, QStringLiteral("Window 64")).name.contains(QStringLiteral("PPL 30.00")));
        QVERIFY(seriesNamed(spec, QStringLiteral("Full cache")).name.contains(QStringLiteral("PPL 20.00")));
        const ChartSeries& roofline = seriesNamed(spec, QStringLiteral("roofline"));
        QCOMPARE(roofline.kind, SeriesKind::Roofline);
        QCOMPARE(roofline.points[0].y, 50000.0 / 512 * 1.25);
    }

    void memoryIsInBytesAndLabelledInMiB() {
        const auto records = test::sampleRuns();
        ChartInput input = inputOf(records);
        input.curves[2]["kv_payload_bytes"] = {{0, 64, 1536}, {0, 64 * 2048, 64 * 2048}};
        const ChartSpec spec = memoryChart(input);
        const ChartSeries& window = seriesNamed(spec, QStringLiteral("Window 64"));
        QCOMPARE(window.points[1].y, 64.0 * 2048);
        QCOMPARE(ticksFor(spec.y, rangeOfY(spec)).unit, QStringLiteral("MiB"));
    }

    void curvesAreLimitedAndItIsSaid() {
        std::vector<experiments::RunRecord> records;
        ChartInput input;
        for (int id = 1; id <= 20; ++id) {
            records.push_back(test::perplexityRun(id, "window", 16 * id, 20));
        }
        input = inputOf(records);
        for (int id = 1; id <= 20; ++id) {
            input.curves[id]["nll"] = {{1, 2}, {3, 4}};
        }
        const ChartSpec spec = nllChart(input);
        QCOMPARE(spec.series.size(), static_cast<std::size_t>(kMostCurves));
        QVERIFY(spec.note.contains(QStringLiteral("12 of 20")));
    }
};

}  // namespace kvist::ui

QTEST_MAIN(kvist::ui::StandardChartsTest)
#include "standard_charts_test.moc"
