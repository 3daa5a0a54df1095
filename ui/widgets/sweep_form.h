// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QSpinBox>
#include <QWidget>

#include "experiments/sweep.h"
#include "experiments/sweep_plan.h"
#include "ui/widgets/context_list.h"
#include "ui/widgets/evaluation_list.h"
#include "ui/widgets/model_picker.h"
#include "ui/widgets/policy_list.h"
#include "ui/widgets/text_picker.h"

namespace kvist::ui {

/// Every field of a sweep. Reads and writes the Sweep value and marks fields; plans and starts nothing.
class SweepForm : public QWidget {
    Q_OBJECT
public:
    explicit SweepForm(QWidget* parent = nullptr);

    experiments::Sweep sweep() const;
    /// Shows a sweep without telling that it was edited.
    void setSweep(const experiments::Sweep& sweep);

    /// Marks the field that a refusal names ("policies[1].parameters.sinks"). False where there is no such
    /// field, so that the message is shown elsewhere.
    bool showRefusal(const QString& key, const QString& message);
    void clearRefusals();

    /// Shows what the budgets come to in the other units.
    void showBudgetForms(const experiments::SweepPlan& plan);

    ModelPicker* model() const { return m_model; }
    TextPicker* text() const { return m_text; }
    EvaluationList* evaluations() const { return m_evaluations; }
    PolicyList* policies() const { return m_policies; }
    ContextList* contexts() const { return m_contexts; }
    CheckedEdit* budgets() const { return m_budgets; }

Q_SIGNALS:
    void edited();

private:
    void emitEdited();
    void showUsedFields();

    ModelPicker* m_model;
    TextPicker* m_text;
    EvaluationList* m_evaluations;
    PolicyList* m_policies;
    CheckedEdit* m_budgets;
    QLabel* m_budgetForms;
    ContextList* m_contexts;
    QSpinBox* m_chunk;
    QSpinBox* m_repeats;
    CheckedEdit* m_seed;
    experiments::Sweep m_rest;  ///< what has no field: name, folder
    bool m_isShowing = false;
};

}  // namespace kvist::ui
