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

    void scalesCountWhereEntriesAreCodes() {
        auto coded = test::perplexityRun(2, "window", 64, 20);
        coded.config.store = "kivi";
        coded.metrics["kv_metadata_bytes"] = 1000;
        auto plain = test::perplexityRun(1, "window", 64, 20);
        plain.metrics["kv_metadata_bytes"] = 1000;
        QCOMPARE(coded.heldBytes(), 64 * 2048 + 1000.0);
        QCOMPARE(plain.heldBytes(), 64 * 2048.0);
        const std::vector<experiments::RunRecord> records{plain, coded};
        ChartInput input = inputOf(records);
        ChartSpec spec = memoryChart(input);
        QCOMPARE(seriesNamed(spec, QStringLiteral("Window 64, ")).points.back().y, 64 * 2048 + 1000.0);
        QCOMPARE(seriesNamed(spec, QStringLiteral("Window 64")).points.back().y, 64 * 2048.0);
        QVERIFY(spec.note.contains(QStringLiteral("scales")));

        for (const experiments::RunId id : {1, 2}) {
            input.curves[id]["kv_payload_bytes"] = {{32, 1536}, {100, 2000}};
        }
        spec = memoryChart(input);  // of the codes the curve is half of what they take
        QCOMPARE(seriesNamed(spec, QStringLiteral("Window 64, ")).points.size(), std::size_t{1});
        QCOMPARE(seriesNamed(spec, QStringLiteral("Window 64")).points.size(), std::size_t{2});
        input.curves[2]["kv_metadata_bytes"] = {{32, 1536}, {10, 20}};
        spec = memoryChart(input);
        QCOMPARE(seriesNamed(spec, QStringLiteral("Window 64, ")).points.front().y, 110.0);
        QCOMPARE(seriesNamed(spec, QStringLiteral("Window 64, ")).points[1].y, 2020.0);
        QCOMPARE(tradeoffChart(input).series.back().points.front().x, 64 * 2048 + 1000.0);
    }

    void furtherFiguresAreOfferedAsTheyAreMeasured() {
        auto records = test::sampleRuns();
        for (auto& record : records) {
            record.metrics.erase("kv_payload_peak_bytes");
        }
        QVERIFY(figureChart(inputOf(records)).isEmpty());
        for (auto& record : records) {
            if (record.config.evaluation == "perplexity") {
                record.metrics["kl_mean"] = record.isBaseline() ? 0 : 6.4 / static_cast<double>(record.config.budget);
                record.metrics["same_top"] = record.isBaseline() ? 1 : 0.5;
            } else if (record.config.policy == "window") {
                record.metrics["policy_ms_per_step"] = 0.25;
            }
        }
        ChartInput input = inputOf(records);
        ChartSpec spec = figureChart(input);
        QStringList offered;
        for (const ChartChoice& choice : spec.choices) {
            offered << choice.id;
        }
        QCOMPARE(offered, (QStringList{"kl_mean", "same_top", "policy_ms_per_step"}));
        QCOMPARE(spec.chosen, QStringLiteral("kl_mean"));
        QCOMPARE(spec.fileName(), QStringLiteral("figure_vs_budget_kl_mean"));
        QVERIFY(spec.title.startsWith(QStringLiteral("KL to the full cache")));
        QCOMPARE(spec.series.size(), std::size_t{2});  // the full cache does not diverge from itself
        QCOMPARE(seriesNamed(spec, QStringLiteral("Window")).points[0].y, 0.1);
        input.choices[spec.id] = QStringLiteral("policy_ms_per_step");
        spec = figureChart(input);
        QCOMPARE(spec.y.unit, QStringLiteral("ms"));
        QCOMPARE(spec.series.size(), std::size_t{2});  // a curve for each depth
        input.choices[spec.id] = QStringLiteral("retrieval_accuracy");
        QCOMPARE(figureChart(input).chosen, QStringLiteral("kl_mean"));
    }

    void divergenceIsDrawnOverThePosition() {
        const auto records = test::sampleRuns();
        ChartInput input = inputOf(records);
        input.curves[1]["nll"] = input.curves[2]["nll"] = {{64, 128}, {3, 4}};
        QVERIFY(nllChart(input).choices.empty());
        input.curves[1]["kl"] = {{64, 128}, {0, 0}};
        input.curves[2]["kl"] = {{64, 128}, {0.5, 0.75}};
        ChartSpec spec = nllChart(input);
        QCOMPARE(spec.choices.size(), std::size_t{2});
        QCOMPARE(spec.series.size(), std::size_t{2});
        QCOMPARE(seriesNamed(spec, QStringLiteral("Window 64")).points[1].y, 4.0);
        input.choices[spec.id] = QStringLiteral("kl");
        spec = nllChart(input);
        QCOMPARE(spec.series.size(), std::size_t{1});
        QCOMPARE(spec.series.front().points[1].y, 0.75);
        QCOMPARE(spec.title, QStringLiteral("KL to the full cache vs position"));
    }

    void chosenRunsComeFirstWhereCurvesAreLimited() {
        std::vector<experiments::RunRecord> records;
        for (int id = 1; id <= 20; ++id) {
            records.push_back(test::perplexityRun(id, "window", 16 * id, 20));
        }
        ChartInput input = inputOf(records);
        QCOMPARE(memoryChart(input).series.size(), kMostCurves);
        input.chosen = {19, 20};
        const ChartSpec spec = memoryChart(input);
        QCOMPARE(spec.series.size(), std::size_t{2});
        QCOMPARE(spec.series.back().name, QStringLiteral("Window 320"));
        QVERIFY(spec.note.contains(QStringLiteral("2 of 20")));
    }

    void differentSettingsNeverShareACurve() {
        auto records = test::sampleRuns();
        records.push_back(test::perplexityRun(90, "window", 512, 18));
        records.back().config.chunk = 1;
        const ChartSpec spec = perplexityChart(inputOf(records));
        QCOMPARE(spec.series.size(), std::size_t{4});
        QVERIFY(seriesNamed(spec, QStringLiteral("Window, chunk 1")).points.size() == 1);
    }

    void budgetsOfOnePeakAreNotAveraged() {
        std::vector<experiments::RunRecord> records;
        for (const int budget : {64, 128}) {
            records.push_back(test::perplexityRun(budget, "window", budget, 20 + 640.0 / budget));
            records.back().metrics["kv_payload_peak_bytes"] = 1024;
        }
        const ChartSpec spec = tradeoffChart(inputOf(records));
        QCOMPARE(spec.series.front().points.size(), std::size_t{2});
        QCOMPARE(spec.series.front().points[0].y, 30.0);
        QCOMPARE(spec.series.front().points[1].y, 25.0);
        QCOMPARE(spec.series.front().points[1].x, 1024.0);
    }

    void ofCompressedPromptsWhatIsLeftIsShown() {
        std::vector<experiments::RunRecord> records;
        for (const int budget : {64, 128}) {
            records.push_back(test::perplexityRun(budget, "window", budget, 20));
            records.back().metrics["kv_payload_peak_bytes"] = 1 << 20;
            records.back().metrics["kv_payload_bytes"] = 1024.0 * budget;
        }
        QVERIFY(tradeoffChart(inputOf(records)).choices.empty());
        for (auto& record : records) {
            record.config.evaluationParameters["protocol"] = std::string("prefill-then-score");
        }
        ChartInput input = inputOf(records);
        ChartSpec spec = tradeoffChart(input);
        QCOMPARE(spec.series.front().points[1].x, 1024.0 * 128);
        QVERIFY(spec.x.title.contains(QStringLiteral("end")));
        input.choices[spec.id] = QStringLiteral("peak");
        spec = tradeoffChart(input);
        QCOMPARE(spec.series.front().points[1].x, double(1 << 20));
    }

    void namesSayWhatDiffersAfterTheBudget() {
        std::vector<experiments::RunRecord> records;
        for (const int sinks : {0, 4}) {
            records.push_back(test::perplexityRun(10 + sinks, "window", 64, 20));
            records.back().config.policyParameters = {{"sinks", std::int64_t{sinks}}, {"compact", false}};
        }
        records.push_back(test::perplexityRun(20, "attention-score", 64, 20));
        records.back().config.store = "kivi";
        records.back().config.policyParameters = {{"sinks", std::int64_t{4}}};
        const QStringList names = namesOf(inputOf(records).runs);
        QCOMPARE(names[0], QStringLiteral("Window 64, sinks 0"));
        QCOMPARE(names[1], QStringLiteral("Window 64, sinks 4"));
        QVERIFY2(names[2].startsWith(QStringLiteral("Attention score 64, ")), qPrintable(names[2]));
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
        QCOMPARE(spec.series.size(), kMostCurves);
        QVERIFY(spec.note.contains(QStringLiteral("12 of 20")));
    }
};

}  // namespace kvist::ui

QTEST_MAIN(kvist::ui::StandardChartsTest)
#include "standard_charts_test.moc"
