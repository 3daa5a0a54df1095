// SPDX-License-Identifier: GPL-3.0-or-later
// The form shows a sweep and gives it back; wrong values are marked where they are.
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include "ui/widgets/sweep_form.h"

namespace kvist::ui {

namespace {

experiments::Sweep richSweep() {
    experiments::Sweep sweep;
    sweep.name = "Rich";
    sweep.models = {"resources/demo_model"};
    sweep.device = "cpu";
    sweep.dtype = "bfloat16";
    sweep.threads = 2;
    sweep.text = {"resources/texts/wiki.test.raw", Segmentation::Whole};
    sweep.chunk = 16;
    sweep.contexts = {{"1024", "512"}, {"256", "128"}};
    sweep.budgets = "64-512*2, 25%";
    sweep.policies = {{"full", {}}, {"window", {{"sinks", "0, 4"}}}, {"window", {{"sinks", "8"}}}};
    sweep.evaluations = {
        {"perplexity", {}, {}}, {"speed", "512, 1024", {{"samples", "10"}}}, {"speed", "2048", {{"samples", "20"}}}};
    sweep.repeats = 3;
    sweep.seed = 12345678901234567890ull;
    sweep.folder = "/somewhere";
    return sweep;
}

}  // namespace

class SweepFormTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void givesBackWhatItShows() {
        SweepForm form;
        QSignalSpy edited(&form, &SweepForm::edited);
        form.setSweep(richSweep());
        QCOMPARE(edited.count(), 0);
        QVERIFY(form.sweep() == richSweep());
        experiments::Sweep other = richSweep();
        other.contexts = {{"10", "20"}};
        other.policies = {{"attention-score", {}}};
        form.setSweep(other);
        QVERIFY(form.sweep() == other);
    }

    void aFieldIsAskedForWhereATextHasFields() {
        SweepForm form;
        form.setSweep(richSweep());
        auto* field = form.findChild<QLineEdit*>(QStringLiteral("field"));
        QVERIFY(!field->isVisibleTo(&form));
        experiments::Sweep sweep = richSweep();
        sweep.text = {"mine.jsonl", Segmentation::Lines, "body"};
        form.setSweep(sweep);
        QVERIFY(field->isVisibleTo(&form));
        QCOMPARE(field->text(), QStringLiteral("body"));
        QVERIFY(form.sweep() == sweep);
        QSignalSpy edited(&form, &SweepForm::edited);
        field->clear();
        QTest::keyClicks(field, QStringLiteral("story"));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(edited.count(), 1);
        QCOMPARE(form.sweep().text.field, std::string("story"));
        form.setSweep(richSweep());
        QVERIFY(form.sweep() == richSweep());
    }

    void givesBackHowEntriesAreHeld() {
        SweepForm form;
        auto* choice = form.policies()->row("window")->findChild<QComboBox*>(QStringLiteral("store"));
        if (choice->findData(QStringLiteral("kivi")) < 0) {
            QSKIP("no stores without the engine");
        }
        experiments::Sweep sweep = richSweep();
        sweep.policies = {{"window", {{"sinks", "4"}}, "kivi", {{"key_bits", "2, 4"}}}, {"kivi", {}}};
        form.setSweep(sweep);
        QVERIFY(form.sweep() == sweep);
        QSignalSpy edited(&form, &SweepForm::edited);
        choice->setCurrentIndex(0);
        QCOMPARE(edited.count(), 1);
        QCOMPARE(form.sweep().policies.front().store, std::string());
        QVERIFY(form.policies()->row("kivi")->findChild<QComboBox*>(QStringLiteral("store")) == nullptr);
        form.setSweep(sweep);
        QVERIFY(form.showRefusal(QStringLiteral("policies[0].store.key_bits"), QStringLiteral("would be right: 4")));
        QVERIFY(!form.policies()->store("window")->field("key_bits")->isValid());
        QVERIFY(form.policies()->store("window")->isVisibleTo(&form));
        form.setSweep(richSweep());
        QVERIFY(form.sweep() == richSweep());
    }

    void tellsOfEdits() {
        SweepForm form;
        form.setSweep(richSweep());
        QSignalSpy edited(&form, &SweepForm::edited);
        QTest::keyClick(form.budgets()->edit(), Qt::Key_End);
        QTest::keyClicks(form.budgets()->edit(), QStringLiteral(",1MiB"));
        QCOMPARE(edited.count(), 5);
        QCOMPARE(form.sweep().budgets, std::string("64-512*2, 25%,1MiB"));
        form.policies()->row("attention-score")->findChild<QCheckBox*>()->click();
        QCOMPARE(form.sweep().policies.size(), std::size_t{4});
    }

    void tellsWhatAPolicyNeedsSavesAndCosts() {
        PolicyList list;
        list.resize(420, 900);
        OptionRow* row = list.row("adakv");
        if (row == nullptr) {
            QSKIP("the stand-in catalog has no cards");
        }
        row->findChild<QToolButton*>()->click();
        QString text;
        for (const QLabel* label : row->findChildren<QLabel*>()) {
            text += label->text() + QLatin1Char('\n');
        }
        for (const char* part : {"Needs: the queries of the last 32 tokens", "Saves: ", "Costs: ", "arXiv 2407.11550",
                                 "A reconstruction"}) {
            QVERIFY2(text.contains(QLatin1String(part)), part);
        }
        QVERIFY(QDir().mkpath(QStringLiteral(KVIST_SCREENSHOTS)));
        QVERIFY(row->grab().save(QStringLiteral(KVIST_SCREENSHOTS "/policy_card.png")));
    }

    void showsTheParametersOfTheBase() {
        ParameterSpec wide = ParameterSpec::integer("window", "Window", 32, 1, 99, "tokens", "Of wide.");
        wide.base = "wide";
        ParameterSpec narrow = ParameterSpec::integer("window", "Window", 8, 1, 9, "tokens", "Of narrow.");
        narrow.base = "narrow";
        ParameterForm form({ParameterSpec::choice("base", "Base", "wide", {"wide", "narrow", "none"}, "Whose scores."),
                            wide.asOptional(), narrow.asOptional()});
        QCOMPARE(form.field("window")->text(), QStringLiteral("32"));
        form.setValues({{"base", "narrow"}, {"window", "4"}});
        QCOMPARE(form.field("window")->text(), QStringLiteral("4"));
        QVERIFY(form.values() == (experiments::AxisMap{{"base", "narrow"}, {"window", "4"}}));
        CheckedEdit* base = form.field("base");
        base->edit()->selectAll();
        QTest::keyClicks(base->edit(), QStringLiteral("none"));
        QVERIFY(form.field("window") == nullptr);
        QVERIFY(form.values() == (experiments::AxisMap{{"base", "none"}}));
        form.setValues({});
        QCOMPARE(form.field("window")->text(), QStringLiteral("32"));
        QVERIFY(form.values().empty());
    }

    void marksWrongValuesWithTheRemedy() {
        SweepForm form;
        form.setSweep(richSweep());
        form.budgets()->edit()->selectAll();
        QTest::keyClicks(form.budgets()->edit(), QStringLiteral("many"));
        QVERIFY(!form.budgets()->isValid());
        QVERIFY(!form.budgets()->findChild<QLabel*>()->text().isEmpty());
        form.budgets()->edit()->selectAll();
        QTest::keyClicks(form.budgets()->edit(), QStringLiteral("64"));
        QVERIFY(form.budgets()->isValid());

        CheckedEdit* sinks = form.policies()->row("window")->form()->field("sinks");
        sinks->edit()->selectAll();
        QTest::keyClicks(sinks->edit(), QStringLiteral("-1"));
        QVERIFY(!sinks->isValid());
    }

    void showsRefusalsAtTheirFields_data() {
        QTest::addColumn<QString>("key");
        QTest::newRow("budgets") << "budgets";
        QTest::newRow("warm") << "contexts[0].warm";
        QTest::newRow("score") << "contexts[1].score";
        QTest::newRow("depths") << "evaluations[1].depths";
        QTest::newRow("evaluation parameter") << "evaluations[1].samples";
        QTest::newRow("policy parameter") << "policies[1].parameters.sinks";
    }

    void showsRefusalsAtTheirFields() {
        QFETCH(QString, key);
        SweepForm form;
        form.setSweep(richSweep());
        QVERIFY(form.showRefusal(key, QStringLiteral("would be right: 1")));
        int marked = 0;
        for (const CheckedEdit* field : form.findChildren<CheckedEdit*>()) {
            marked += field->isValid() ? 0 : 1;
        }
        QCOMPARE(marked, 1);
        form.clearRefusals();
        for (const CheckedEdit* field : form.findChildren<CheckedEdit*>()) {
            QVERIFY(field->isValid());
        }
    }

    void doesNotClaimUnknownFields() {
        SweepForm form;
        form.setSweep(richSweep());
        QVERIFY(!form.showRefusal(QStringLiteral("policies"), QStringLiteral("no policy")));
        QVERIFY(!form.showRefusal(QString(), QStringLiteral("anything")));
        QVERIFY(!form.showRefusal(QStringLiteral("policies[9].parameters.sinks"), QStringLiteral("x")));
    }

    void everyFieldIsNamedForScreenReaders() {
        SweepForm form;
        for (const QWidget* widget : form.findChildren<QWidget*>()) {
            const bool isField = widget->focusPolicy() != Qt::NoFocus && (qobject_cast<const QLineEdit*>(widget) ||
                                                                          qobject_cast<const QAbstractButton*>(widget));
            const bool isPartOfSpinBox = widget->parent()->inherits("QAbstractSpinBox");
            if (!isField || isPartOfSpinBox) {
                continue;
            }
            const auto* button = qobject_cast<const QAbstractButton*>(widget);
            const bool isNamed =
                !widget->accessibleName().isEmpty() || (button && !button->text().isEmpty()) || isBuddy(form, widget);
            QVERIFY2(isNamed, qPrintable(widget->parent()->objectName() + '/' + widget->objectName()));
        }
    }

    void mnemonicsAreUniqueAndNotThoseOfMenus() {
        SweepForm form;
        QSet<QKeySequence> taken;
        for (const char* menu : {"&File", "&Edit", "&Sweep", "&Run", "&View", "&Help"}) {
            taken.insert(QKeySequence::mnemonic(QLatin1String(menu)));
        }
        for (const QLabel* label : form.findChildren<QLabel*>()) {
            const QKeySequence key = label->buddy() ? QKeySequence::mnemonic(label->text()) : QKeySequence();
            if (!key.isEmpty()) {
                QVERIFY2(!taken.contains(key), qPrintable(label->text()));
                taken.insert(key);
            }
        }
        QVERIFY(taken.size() > 10);
    }

private:
    static bool isBuddy(const SweepForm& form, const QWidget* widget) {
        for (const QLabel* label : form.findChildren<QLabel*>()) {
            if (label->buddy() != nullptr && (label->buddy() == widget || label->buddy()->focusProxy() == widget)) {
                return true;
            }
        }
        return false;
    }
};

}  // namespace kvist::ui

QTEST_MAIN(kvist::ui::SweepFormTest)
#include "sweep_form_test.moc"
