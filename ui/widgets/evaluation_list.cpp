// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/evaluation_list.h"

#include <QFormLayout>
#include <QVBoxLayout>
#include <algorithm>
#include <iterator>

#include "engine/api/evaluation_catalog.h"
#include "experiments/value_range.h"
#include "ui/style/metrics.h"
#include "ui/widgets/role_label.h"

namespace kvist::ui {

namespace {

constexpr std::int64_t kMostTokens = std::int64_t{1} << 40;
const char* const kUsualDepths = "512-2048*2";

}  // namespace

EvaluationList::EvaluationList(QWidget* parent) : QWidget(parent), m_furtherNote(makeLabel({}, TextRole::Muted, this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    for (const EvaluationInfo& info : evaluationCatalog()) {
        auto* option = new OptionRow(info.id, QString::fromStdString(info.title), QString::fromStdString(info.summary),
                                     info.parameters, this);
        CheckedEdit* depths = nullptr;
        if (info.usesDepths) {
            depths = new CheckedEdit(option);
            depths->setObjectName(QStringLiteral("depths"));
            depths->edit()->setAccessibleName(tr("Depths"));
            depths->setToolTip(tr("Tokens seen before the timed steps: a list (512, 4096) or a range (512-8192*4)"));
            depths->setText(QString::fromLatin1(kUsualDepths));
            depths->setCheck([](const QString& text) {
                const auto values = experiments::expandedIntegers(text.toStdString(), 1, kMostTokens);
                return values ? QString() : QString::fromStdString(values.refusal().message);
            });
            connect(depths, &CheckedEdit::textEdited, this, &EvaluationList::edited);
            auto* line = new QWidget(option);
            auto* form = new QFormLayout(line);
            form->setContentsMargins(spacingUnit(this) * 3, 0, 0, spacingUnit(this) / 2);
            form->addRow(tr("Depths (tokens)"), depths);
            option->addField(line);
        }
        connect(option, &OptionRow::edited, this, &EvaluationList::edited);
        layout->addWidget(option);
        m_rows.push_back({option, depths, info.usesContexts, info.usesText});
    }
    layout->addWidget(m_furtherNote);
    m_furtherNote->hide();
}

std::vector<experiments::SweepEvaluation> EvaluationList::evaluations() const {
    std::vector<experiments::SweepEvaluation> evaluations;
    for (const Row& row : m_rows) {
        if (row.option->isChosen()) {
            evaluations.push_back({row.option->id(), row.depths ? row.depths->text().toStdString() : std::string(),
                                   row.option->form()->values()});
            std::copy_if(m_further.begin(), m_further.end(), std::back_inserter(evaluations),
                         [&](const experiments::SweepEvaluation& one) { return one.id == row.option->id(); });
        }
    }
    return evaluations;
}

void EvaluationList::setEvaluations(const std::vector<experiments::SweepEvaluation>& evaluations) {
    m_further.clear();
    for (const Row& row : m_rows) {
        const auto found = std::find_if(evaluations.begin(), evaluations.end(),
                                        [&](const auto& one) { return one.id == row.option->id(); });
        const bool isChosen = found != evaluations.end();
        if (isChosen) {
            std::copy_if(found + 1, evaluations.end(), std::back_inserter(m_further),
                         [&](const auto& one) { return one.id == row.option->id(); });
        }
        row.option->form()->setValues(isChosen ? found->parameters : experiments::AxisMap());
        if (row.depths != nullptr && isChosen) {
            row.depths->setText(QString::fromStdString(found->depths));
        }
        row.option->setChosen(isChosen);
    }
    m_furtherNote->setText(tr("The file asks for an evaluation with more than one set of parameters. The first is "
                              "shown; further ones are kept as they stand in the file: %1.")
                               .arg(m_further.size()));
    m_furtherNote->setVisible(!m_further.empty());
}

OptionRow* EvaluationList::row(const std::string& id) const {
    const auto found =
        std::find_if(m_rows.begin(), m_rows.end(), [&](const Row& row) { return row.option->id() == id; });
    return found == m_rows.end() ? nullptr : found->option;
}

CheckedEdit* EvaluationList::depthsField(const std::string& id) const {
    const auto found =
        std::find_if(m_rows.begin(), m_rows.end(), [&](const Row& row) { return row.option->id() == id; });
    return found == m_rows.end() ? nullptr : found->depths;
}

bool EvaluationList::usesContexts() const {
    return std::any_of(m_rows.begin(), m_rows.end(),
                       [](const Row& row) { return row.usesContexts && row.option->isChosen(); });
}

bool EvaluationList::usesText() const {
    return std::any_of(m_rows.begin(), m_rows.end(),
                       [](const Row& row) { return row.usesText && row.option->isChosen(); });
}

}  // namespace kvist::ui
