// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/sweep_form.h"

#include <QFormLayout>
#include <QRegularExpression>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/api/dtype.h"
#include "engine/api/evaluation_catalog.h"
#include "experiments/budget.h"
#include "experiments/number_text.h"
#include "ui/style/metrics.h"
#include "ui/widgets/role_label.h"

namespace kvist::ui {

namespace {

QString checkBudgets(const QString& text) {
    const auto budgets = experiments::parseBudgets(text.toStdString());
    return budgets ? QString() : QString::fromStdString(budgets.refusal().message);
}

QString checkSeed(const QString& text) {
    return experiments::numberOf<std::uint64_t>(text.toStdString()) ? QString()
                                                                    : SweepForm::tr("a whole number from 0 up");
}

QSpinBox* makeCount(const QString& name, int least, int most, const QString& help, QWidget* parent) {
    auto* box = new QSpinBox(parent);
    box->setObjectName(name);
    box->setRange(least, most);
    box->setToolTip(help);
    return box;
}

}  // namespace

SweepForm::SweepForm(QWidget* parent)
    : QWidget(parent),
      m_model(new ModelPicker(this)),
      m_text(new TextPicker(this)),
      m_evaluations(new EvaluationList(this)),
      m_policies(new PolicyList(this)),
      m_budgets(new CheckedEdit(this)),
      m_budgetForms(makeLabel({}, TextRole::Muted, this)),
      m_contexts(new ContextList(this)),
      m_chunk(makeCount(QStringLiteral("chunk"), 1, static_cast<int>(experiments::kMostTokens),
                        tr("Tokens fed between two prunings; 1 prunes after every token"), this)),
      m_repeats(makeCount(QStringLiteral("repeats"), 1, experiments::kMostRepeats,
                          tr("How often each combination is measured"), this)),
      m_seed(new CheckedEdit(this)) {
    m_budgets->setObjectName(QStringLiteral("budgets"));
    m_budgets->setToolTip(
        tr("Entries kept per layer and KV head: tokens (64, 128-2048*2), a share of the context (25%) "
           "or memory (1MiB), in any mixture"));
    m_budgets->edit()->setPlaceholderText(tr("64-512*2, 25%, 1MiB"));
    m_budgets->setCheck(checkBudgets);
    m_seed->setObjectName(QStringLiteral("seed"));
    m_seed->setToolTip(tr("Random draws depend on this number alone"));
    m_seed->setText(QStringLiteral("0"));
    m_seed->setCheck(checkSeed);

    auto* layout = new QVBoxLayout(this);
    const int unit = spacingUnit(this);
    layout->setContentsMargins(unit, unit, unit, unit);
    layout->setSpacing(unit / 2);
    const auto addSection = [&](const QString& title, QWidget* content) {
        if (layout->count() > 0) {
            layout->addSpacing(unit);
        }
        layout->addWidget(makeLabel(title, TextRole::Heading, this));
        layout->addWidget(content);
    };
    addSection(tr("Model"), m_model);
    addSection(tr("Measure"), m_evaluations);
    layout->addWidget(m_text);
    addSection(tr("Policies"), m_policies);
    auto* axes = new QWidget(this);
    auto* form = new QFormLayout(axes);
    form->setContentsMargins(0, 0, 0, 0);
    form->setSpacing(unit / 2);
    form->addRow(tr("&Budgets"), m_budgets);
    form->addRow(m_budgetForms);
    form->addRow(tr("&Contexts"), m_contexts);
    form->addRow(tr("Ch&unk"), m_chunk);
    form->addRow(tr("Re&peats"), m_repeats);
    form->addRow(tr("Seed"), m_seed);
    addSection(tr("Axes"), axes);
    layout->addStretch();

    connect(m_model, &ModelPicker::edited, this, &SweepForm::emitEdited);
    connect(m_text, &TextPicker::edited, this, &SweepForm::emitEdited);
    connect(m_evaluations, &EvaluationList::edited, this, &SweepForm::emitEdited);
    connect(m_policies, &PolicyList::edited, this, &SweepForm::emitEdited);
    connect(m_contexts, &ContextList::edited, this, &SweepForm::emitEdited);
    for (CheckedEdit* field : {m_budgets, m_seed}) {
        connect(field, &CheckedEdit::textEdited, this, &SweepForm::emitEdited);
    }
    for (QSpinBox* box : {m_chunk, m_repeats}) {
        connect(box, &QSpinBox::valueChanged, this, &SweepForm::emitEdited);
    }
}

experiments::Sweep SweepForm::sweep() const {
    experiments::Sweep sweep = m_rest;
    m_model->writeTo(sweep);
    sweep.text = m_text->text();
    sweep.evaluations = m_evaluations->evaluations();
    sweep.policies = m_policies->policies();
    sweep.budgets = m_budgets->text().toStdString();
    sweep.contexts = m_contexts->contexts();
    sweep.chunk = m_chunk->value();
    sweep.repeats = m_repeats->value();
    sweep.seed = experiments::numberOf<std::uint64_t>(m_seed->text().toStdString()).value_or(m_rest.seed);
    return sweep;
}

void SweepForm::setSweep(const experiments::Sweep& sweep) {
    m_isShowing = true;
    m_rest = sweep;
    m_model->readFrom(sweep);
    m_text->setText(sweep.text);
    m_evaluations->setEvaluations(sweep.evaluations);
    m_policies->setPolicies(sweep.policies);
    m_budgets->setText(QString::fromStdString(sweep.budgets));
    m_contexts->setContexts(sweep.contexts);
    m_chunk->setValue(static_cast<int>(sweep.chunk));
    m_repeats->setValue(sweep.repeats);
    m_seed->setText(QString::number(sweep.seed));
    m_isShowing = false;
    showUsedFields();
}

bool SweepForm::showRefusal(const QString& key, const QString& message) {
    static const QRegularExpression indexed(QStringLiteral(R"(^(\w+)\[(\d+)\](?:\.(\w+))?(?:\.([\w-]+))?$)"));
    if (key == QLatin1String("budgets")) {
        m_budgets->setMessage(message);
        return true;
    }
    if (key.startsWith(QLatin1String("text"))) {
        m_text->setMessage(message);
        return true;
    }
    if (key.startsWith(QLatin1String("model"))) {
        m_model->showProblem(message);
        return true;
    }
    const auto match = indexed.match(key);
    const auto index = static_cast<std::size_t>(match.captured(2).toULongLong());
    const QString part = match.captured(3);
    CheckedEdit* field = nullptr;
    if (match.captured(1) == QLatin1String("contexts")) {
        field = part == QLatin1String("score") ? m_contexts->scoreField(index) : m_contexts->warmField(index);
    } else if (match.captured(1) == QLatin1String("evaluations") && index < sweep().evaluations.size()) {
        const std::string id = sweep().evaluations[index].id;
        OptionRow* row = m_evaluations->row(id);
        field =
            part == QLatin1String("depths") ? m_evaluations->depthsField(id) : row->form()->field(part.toStdString());
        row->openParametersFor(field);
    } else if (match.captured(1) == QLatin1String("policies") && index < sweep().policies.size()) {
        const std::string id = sweep().policies[index].id;
        const std::string name = match.captured(4).toStdString();
        OptionRow* row = m_policies->row(id);
        const StoreField* store = m_policies->store(id);
        field = part == QLatin1String("store") && store != nullptr ? store->field(name) : row->form()->field(name);
        row->openParametersFor(field);
    }
    if (field != nullptr) {
        field->setMessage(message);
    }
    return field != nullptr;
}

void SweepForm::clearRefusals() {
    m_text->setMessage({});
    for (CheckedEdit* field : findChildren<CheckedEdit*>()) {
        field->setText(field->edit()->text());
    }
}

void SweepForm::showBudgetForms(const experiments::SweepPlan& plan) {
    std::int64_t least = 0;
    std::int64_t most = 0;
    const experiments::PlannedRun* sample = nullptr;
    for (const experiments::PlannedRun& run : plan.runs) {
        if (run.config.budget > 0) {
            least = least == 0 ? run.config.budget : std::min(least, run.config.budget);
            most = std::max(most, run.config.budget);
            sample = sample == nullptr || run.config.depth == 0 ? &run : sample;
        }
    }
    const auto model = sample == nullptr ? plan.models.end() : plan.models.find(sample->config.model.path);
    if (model == plan.models.end()) {
        m_budgetForms->clear();
        return;
    }
    const RunConfig& config = sample->config;
    const experiments::BudgetFacts facts{
        contextTokens(config),
        model->second.kvBytesPerToken(elementSize(resolvedDtype(config.model, model->second, plan.machine)))};
    QStringList lines{QString::fromStdString(experiments::budgetForms(least, facts))};
    if (most != least) {
        lines << QString::fromStdString(experiments::budgetForms(most, facts));
    }
    m_budgetForms->setText(lines.join(QLatin1Char('\n')));
}

void SweepForm::emitEdited() {
    if (!m_isShowing) {
        showUsedFields();
        Q_EMIT edited();
    }
}

void SweepForm::showUsedFields() {
    m_text->setEnabled(m_evaluations->usesText());
    m_contexts->setEnabled(m_evaluations->usesContexts());
}

}  // namespace kvist::ui
