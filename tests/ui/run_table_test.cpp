// SPDX-License-Identifier: GPL-3.0-or-later
// The runs table: model rules, sorting with missing ones last, filter, texts, copying.
#include <QAbstractItemModelTester>
#include <QTableView>
#include <QTest>

#include "tests/ui/support/sample_runs.h"
#include "ui/docks/runs_panel.h"
#include "ui/models/run_filter_model.h"
#include "ui/models/run_table_model.h"

namespace kvist::ui {

namespace {

int columnOf(const QString& id) {
    for (std::size_t column = 0; column < runColumns().size(); ++column) {
        if (runColumns()[column].id == id) {
            return static_cast<int>(column);
        }
    }
    return -1;
}

QStringList shown(const QAbstractItemModel& model, const QString& column) {
    QStringList texts;
    for (int row = 0; row < model.rowCount(); ++row) {
        texts << model.index(row, columnOf(column)).data().toString();
    }
    return texts;
}

}  // namespace

class RunTableTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void followsTheRulesOfModels() {
        RunTableModel model;
        RunFilterModel filtered;
        const QAbstractItemModelTester modelTester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        filtered.setSourceModel(&model);
        const QAbstractItemModelTester filterTester(&filtered, QAbstractItemModelTester::FailureReportingMode::QtTest);
        filtered.sort(columnOf("perplexity"));
        model.setRecords(test::sampleRuns());
        auto changed = test::sampleRuns()[1];
        changed.metrics["perplexity"] = 19;
        model.putRecord(changed);
        model.putRecord(test::perplexityRun(100, "window", 32, 60));
        filtered.setWords(QStringLiteral("window"));
        QCOMPARE(model.rowCount(), 12);
        QCOMPARE(filtered.rowCount(), 6);
        QCOMPARE(model.record(100)->config.budget, 32);
        model.setRecords({});
        QCOMPARE(filtered.rowCount(), 0);
    }

    void sortsNumbersAsNumbersWithMissingLast() {
        RunTableModel model;
        model.setRecords({test::perplexityRun(1, "window", 1024, 9.5), test::perplexityRun(2, "window", 64, 100),
                          test::perplexityRun(3, "full", 0, 20.25)});
        RunFilterModel filtered;
        filtered.setSourceModel(&model);
        filtered.sort(columnOf("perplexity"), Qt::AscendingOrder);
        QCOMPARE(shown(filtered, "perplexity"), QStringList({"9.50 ± 0.25", "20.25 ± 0.25", "100.00 ± 0.25"}));
        filtered.sort(columnOf("budget"), Qt::AscendingOrder);
        QCOMPARE(shown(filtered, "budget"), QStringList({"64", "1024", "–"}));
        filtered.sort(columnOf("budget"), Qt::DescendingOrder);
        QCOMPARE(shown(filtered, "budget"), QStringList({"1024", "64", "–"}));
    }

    void cellsAreShortAndTooltipsExact() {
        RunTableModel model;
        auto run = test::perplexityRun(1, "window", 64, 10.0 / 3);
        model.setRecords({run});
        const QModelIndex cell = model.index(0, columnOf("perplexity"));
        QCOMPARE(cell.data().toString(), QStringLiteral("3.33 ± 0.25"));
        QVERIFY(cell.data(Qt::ToolTipRole).toString().contains(QStringLiteral("3.3333333333333335")));
        QCOMPARE(cell.data(Qt::TextAlignmentRole).toInt(), int(Qt::AlignRight | Qt::AlignVCenter));
    }

    void speedRowsShowTheQualityBeside() {
        RunTableModel model;
        model.setRecords({test::perplexityRun(1, "window", 64, 30), test::speedRun(2, "window", 64, 512, 100),
                          test::speedRun(3, "window", 128, 512, 90)});
        QCOMPARE(shown(model, "perplexity"), QStringList({"30.00 ± 0.25", "(30.00)", ""}));
    }

    void failedRunsSayWhyInTheRow() {
        RunTableModel model;
        auto run = test::finishedRun(1, "window", 4);
        run.state = experiments::RunState::Failed;
        run.errorMessage = "budget 4 does not hold the sinks";
        model.setRecords({run});
        QCOMPARE(shown(model, "message"), QStringList("budget 4 does not hold the sinks"));
        QVERIFY(!model.index(0, kStateColumn).data(Qt::DecorationRole).isNull());
    }

    void selectionIsOne() {
        RunTableModel model;
        model.setRecords(test::sampleRuns());
        Selection selection;
        RunsPanel panel(model, selection);
        panel.table()->selectRow(2);
        QCOMPARE(selection.runs(), QList<experiments::RunId>({3}));
        selection.setRuns({1, 5});
        QCOMPARE(panel.table()->selectionModel()->selectedRows().size(), 2);
        panel.table()->sortByColumn(columnOf("perplexity"), Qt::DescendingOrder);
        QCOMPARE(selection.runs(), QList<experiments::RunId>({1, 5}));
    }

    void copiesWhatIsShown() {
        RunTableModel model;
        model.setRecords({test::perplexityRun(1, "full", 0, 20), test::perplexityRun(2, "window", 64, 30)});
        Selection selection;
        RunsPanel panel(model, selection);
        panel.filter()->setText(QStringLiteral("window"));
        const QStringList lines = panel.text(TableFormat::Tsv).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 2);
        QVERIFY(lines[0].startsWith(QStringLiteral("State\tPolicy\t")));
        QVERIFY(lines[1].contains(QStringLiteral("\t30.00 ± 0.25\t")));
        QVERIFY(panel.text(TableFormat::Markdown).contains(QStringLiteral("|---|")));
    }

    void tableTextQuotes() {
        const std::vector<QStringList> rows{{"a", "b"}, {"1,5", "say \"x\"\nno"}};
        QCOMPARE(tableText(rows, TableFormat::Csv), QStringLiteral("a,b\r\n\"1,5\",\"say \"\"x\"\"\nno\"\r\n"));
        QCOMPARE(tableText(rows, TableFormat::Tsv), QStringLiteral("a\tb\n1,5\tsay \"x\" no\n"));
        QCOMPARE(tableText({{"a|b"}}, TableFormat::Markdown), QStringLiteral("| a\\|b |\n|---|\n"));
    }
};

}  // namespace kvist::ui

QTEST_MAIN(kvist::ui::RunTableTest)
#include "run_table_test.moc"
