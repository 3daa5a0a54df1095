// SPDX-License-Identifier: GPL-3.0-or-later
// The map of retrieval over depth and length, and what runs wrote in the details.
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <filesystem>

#include "engine/api/evaluation_catalog.h"
#include "tests/ui/support/sample_runs.h"
#include "ui/charts/chart_export.h"
#include "ui/charts/chart_view.h"
#include "ui/charts/heat_map.h"
#include "ui/charts/standard_charts.h"
#include "ui/docks/details_panel.h"
#include "ui/report/run_text.h"
#include "ui/report/written_text.h"
#include "ui/style/theme_colors.h"
#include "ui/widgets/evaluation_list.h"

namespace kvist::ui {

namespace {

experiments::RunRecord retrievalRun(experiments::RunId id, const std::string& policy, std::int64_t budget,
                                    std::int64_t length, double depth, double accuracy,
                                    const std::string& task = "single") {
    experiments::RunRecord run = test::finishedRun(id, policy, budget);
    run.config.evaluation = "retrieval";
    run.config.evaluationParameters =
        completed(evaluationInfo("retrieval").parameters, {{"task", task}, {"length", length}, {"depth", depth}}, "");
    run.metrics = {{"retrieval_accuracy", accuracy},
                   {"retrieval_accuracy_low", std::max(0.0, accuracy - 0.1)},
                   {"retrieval_accuracy_high", std::min(1.0, accuracy + 0.1)},
                   {"kv_payload_bytes", 1024.0}};
    return run;
}

/// The full cache and a window: what lies outside the window is lost.
std::vector<experiments::RunRecord> mapRuns(double share = 0) {
    std::vector<experiments::RunRecord> runs;
    experiments::RunId id = 1;
    for (const std::int64_t length : {256, 512, 1024, 2048}) {
        for (const double depth : {0.0, 25.0, 50.0, 75.0, 100.0}) {
            runs.push_back(retrievalRun(id++, "full", 0, length, depth, 0.95));
            const double reach = share > 0 ? 100 * share : 100.0 * 256 / static_cast<double>(length);
            const auto budget = share > 0 ? static_cast<std::int64_t>(share * static_cast<double>(length)) : 256;
            const double distance = 100 - depth;
            runs.push_back(retrievalRun(id++, "window", budget, length, depth, distance < reach ? 0.9 : 0.05));
        }
    }
    return runs;
}

ChartInput inputOf(const std::vector<experiments::RunRecord>& records) {
    ChartInput input;
    for (const auto& record : records) {
        input.runs.push_back(&record);
    }
    return input;
}

}  // namespace

class NeedleMapTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eachPolicyAndBudgetHasAMap() {
        auto runs = mapRuns();
        runs.push_back(retrievalRun(900, "window", 64, 256, 50, 0.5));
        runs.push_back(retrievalRun(901, "window", 256, 256, 50, 0.3, "multi-key"));
        const ChartSpec spec = needleMap(inputOf(runs));
        QVERIFY(spec.isMap());
        QStringList names;
        for (const ChartSeries& series : spec.series) {
            names << series.name;
        }
        QCOMPARE(names, (QStringList{"Full cache", "Window 64", "Window 256", "Window, multi-key 256"}));
        QCOMPARE(spec.series[0].points.size(), std::size_t{20});
        const ChartPoint& cell = spec.series[0].points[1];
        QCOMPARE(cell.x, 256.0);
        QCOMPARE(cell.y, 25.0);
        QCOMPARE(cell.value, 0.95);
        QVERIFY(cell.note.contains(QStringLiteral("0.85 to 1")));
    }

    void aBudgetThatIsAShareIsOneMap() {
        const ChartSpec spec = needleMap(inputOf(mapRuns(0.25)));
        QCOMPARE(spec.series.size(), std::size_t{2});
        QCOMPARE(spec.series[1].name, QStringLiteral("Window 25 %"));
        QCOMPARE(spec.series[1].points.size(), std::size_t{20});
    }

    void repeatsBecomeTheirMeanAndMapsAreLimited() {
        std::vector<experiments::RunRecord> runs{retrievalRun(1, "window", 64, 256, 50, 0.4),
                                                 retrievalRun(2, "window", 64, 256, 50, 0.6)};
        runs.back().config.repeat = 1;
        QCOMPARE(needleMap(inputOf(runs)).series[0].points[0].value, 0.5);
        for (int id = 3; id < 12; ++id) {
            runs.push_back(retrievalRun(id, "window", 64 * id, 256, 50, 0.4));
        }
        const ChartSpec spec = needleMap(inputOf(runs));
        QCOMPARE(spec.series.size(), std::size_t{6});
        QVERIFY(spec.note.contains(QStringLiteral("6 of 10")));
        ChartInput input = inputOf(runs);
        input.chosen = {11};
        QCOMPARE(needleMap(input).series.front().name, QStringLiteral("Window 704"));
    }

    void cellsLieInTheirPanelsAndAreFound() {
        const ChartSpec spec = needleMap(inputOf(mapRuns()));
        for (const QSizeF& size : {QSizeF(900, 500), QSizeF(300, 200)}) {
            const QRectF area(QPointF(), size);
            const HeatMapLayout layout = layOutHeatMap(spec, area, QFontMetricsF(QFont()));
            QCOMPARE(layout.panels.size(), std::size_t{2});
            QVERIFY(!layout.panels[0].grid.intersects(layout.panels[1].grid));
            for (const HeatMapPanel& panel : layout.panels) {
                QVERIFY(area.contains(panel.grid) && area.contains(panel.title));
                const auto& points = spec.series[static_cast<std::size_t>(panel.series)].points;
                for (std::size_t index = 0; index < points.size(); ++index) {
                    const QRectF cell = layout.cell(panel, points[index].x, points[index].y);
                    QVERIFY(panel.grid.adjusted(-0.01, -0.01, 0.01, 0.01).contains(cell));
                    const auto found = layout.cellAt(spec, cell.center());
                    QVERIFY(found == std::make_pair(panel.series, static_cast<int>(index)));
                }
            }
            const HeatMapPanel& first = layout.panels[0];
            QVERIFY(layout.cell(first, 256, 0).top() < layout.cell(first, 256, 100).top());  // depth goes down
            QVERIFY(layout.cell(first, 256, 0).left() < layout.cell(first, 2048, 0).left());
            QVERIFY(!layout.cellAt(spec, QPointF(0, 0)));
        }
    }

    void numbersAreLegibleOnEveryColour() {
        for (const ThemeColors* colors : {&lightColors(), &darkColors()}) {
            for (int step = 0; step <= 20; ++step) {
                const QColor color = heatColor(step / 20.0, *colors);
                QVERIFY(contrastRatio(inkOn(color), color) >= 4.5);
            }
            QVERIFY(contrastRatio(heatColor(0, *colors), heatColor(1, *colors)) >= 3);
        }
    }

    void isDrawnInBothLooks() {
        const ChartSpec spec = needleMap(inputOf(mapRuns(0.25)));
        std::filesystem::create_directories(KVIST_SCREENSHOTS);
        for (const ThemeColors* colors : {&lightColors(), &darkColors()}) {
            QGuiApplication::setPalette(paletteFor(*colors));
            ChartView view;
            view.resize(760, 420);
            view.setSpec(spec);
            const QImage image = view.grab().toImage();
            QVERIFY(image.save(QStringLiteral(KVIST_SCREENSHOTS "/needle_map_%1.png")
                                   .arg(colors->isDark ? QStringLiteral("dark") : QStringLiteral("light"))));
            const HeatMapLayout layout =
                layOutHeatMap(spec, QRectF(QPointF(), view.plot()->size()), QFontMetricsF(view.plot()->look().font));
            for (const auto& [index, share] : {std::pair{0, 0.95}, std::pair{1, 0.05}}) {
                const HeatMapPanel& panel = layout.panels[static_cast<std::size_t>(index)];
                const QPointF corner = layout.cell(panel, 2048, 0).topLeft() + QPointF(4, 4);
                const QPoint pixel = (view.plot()->mapToScene(corner) * image.devicePixelRatio()).toPoint();
                QCOMPARE(image.pixelColor(pixel), heatColor(share, *colors));
            }
        }
        QGuiApplication::setPalette(paletteFor(lightColors()));
    }

    void theCellUnderThePointerTellsItsNumbers() {
        ChartView view;
        view.resize(700, 400);
        view.setSpec(needleMap(inputOf(mapRuns())));
        Plot& plot = *view.plot();
        const HeatMapLayout layout =
            layOutHeatMap(plot.spec(), QRectF(QPointF(), plot.size()), QFontMetricsF(plot.look().font));
        const QPointF center = layout.cell(layout.panels[1], 512, 75).center();
        const auto chosen = plot.nearestPoint(center, 10);
        QVERIFY(chosen.has_value());
        QCOMPARE(chosen->series, 1);
        QCOMPARE(plot.spec().series[1].points[static_cast<std::size_t>(chosen->point)].y, 75.0);
        const QImage before = view.grab().toImage();
        plot.setCrosshair(chosen);
        QVERIFY(view.grab().toImage() != before);
        plot.setRanges({0, 1}, {0, 1});
        QVERIFY(plot.isFollowing());                                 // a map does not zoom
        view.setSpec(perplexityChart(inputOf(test::sampleRuns())));  // and gives way to curves
        QVERIFY(!plot.series().isEmpty());
    }

    void theTableHasAColumnForTheColour() {
        const QString csv = QString::fromUtf8(chartCsv(needleMap(inputOf(mapRuns()))));
        QVERIFY2(
            csv.startsWith(QStringLiteral("series,Length (tokens),Depth of what is asked for (%),Given back (%),note")),
            qPrintable(csv.left(200)));
        QVERIFY(csv.contains(QStringLiteral("Full cache,256,0,95,")));
    }

    void theTextsOfARunStandInItsDetails() {
        RunTableModel model;
        model.setRecords(mapRuns());
        Selection selection;
        int reads = 0;
        DetailsPanel panel(model, selection, [&](experiments::RunId id) {
            ++reads;
            experiments::RunDetails details;
            if (id == 1) {
                details.texts["answers"] = R"([{"expected":["4711"],"answer":" 4711 <b>","found":1}])";
            }
            return details;
        });
        auto* text = panel.findChild<QTextBrowser*>(QStringLiteral("details"));
        selection.setRuns({1});
        panel.refresh();
        QVERIFY(text->toPlainText().contains(QStringLiteral("4711 <b>")));
        QVERIFY(text->toPlainText().contains(QStringLiteral("1 of 1")));
        QCOMPARE(reads, 1);
        selection.setRuns({2});
        QVERIFY(!text->toPlainText().contains(QStringLiteral("4711")));
    }

    void theFormTakesLengthAndDepthAsAxes() {
        EvaluationList list;
        OptionRow* row = list.row("retrieval");
        QVERIFY(row != nullptr);
        row->setChosen(true);
        QVERIFY(list.usesText() && !list.usesContexts());
        row->form()->field("length")->setText(QStringLiteral("256-1024*2"));
        row->form()->field("depth")->setText(QStringLiteral("0-100+25"));
        QVERIFY(row->form()->field("length")->isValid() && row->form()->field("depth")->isValid());
        const auto chosen = list.evaluations();
        QCOMPARE(chosen.size(), std::size_t{1});
        QVERIFY(chosen[0].parameters == (experiments::AxisMap{{"length", "256-1024*2"}, {"depth", "0-100+25"}}));
        row->form()->field("depth")->setText(QStringLiteral("101"));
        QVERIFY(!row->form()->field("depth")->isValid());
        list.row("drift")->setChosen(true);
        QVERIFY(list.usesContexts());
    }

    void continuationsStandSideBySide() {
        const QString html = writtenHtml(
            {{"continuation", "the same, then own"}, {"continuation_full", "the same, then other"}}, "#123456");
        QVERIFY(html.contains(QStringLiteral("<span style=\"color:#123456\">the same, then o</span>wn")));
        QVERIFY(html.contains(QStringLiteral("<span style=\"color:#123456\">the same, then o</span>ther")));
        QVERIFY(writtenHtml({}, "#123456").isEmpty());
    }

    void aRetrievalRunCanBeRepeated() {
        const auto run = retrievalRun(1, "window", 64, 512, 25, 0.4);
        const experiments::Sweep sweep = sweepOf(run);
        QVERIFY(sweep.contexts.empty());
        QCOMPARE(sweep.evaluations[0].parameters.at("length"), "512");
        auto drift = test::finishedRun(2, "window", 64);
        drift.config.evaluation = "drift";
        drift.config.evaluationParameters = completed(evaluationInfo("drift").parameters, {}, "");
        drift.config.warm = 300;
        QCOMPARE(sweepOf(drift).contexts.at(0).warm, "300");
        drift.config.store = "kivi";
        drift.config.storeParameters = {{"key_bits", std::int64_t{4}}};
        QCOMPARE(sweepOf(drift).policies.at(0).store, "kivi");
        QCOMPARE(sweepOf(drift).policies.at(0).storeParameters.at("key_bits"), "4");
        QCOMPARE(contextText(drift), QStringLiteral("300 + 128"));
        QCOMPARE(contextText(run), QStringLiteral("512"));
        QCOMPARE(evaluationText(run), QStringLiteral("Retrieval, single, 25 %"));
    }
};

}  // namespace kvist::ui

QTEST_MAIN(kvist::ui::NeedleMapTest)
#include "needle_map_test.moc"
