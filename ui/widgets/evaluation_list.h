// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QWidget>
#include <vector>

#include "experiments/sweep.h"
#include "ui/widgets/option_row.h"

namespace kvist::ui {

/// Every evaluation of the catalog, to be chosen and set; those over depths have a field for them.
class EvaluationList : public QWidget {
    Q_OBJECT
public:
    explicit EvaluationList(QWidget* parent = nullptr);

    /// The chosen ones in the order of the catalog; further entries of the same evaluation, which only a sweep file can
    /// have, follow the first.
    std::vector<experiments::SweepEvaluation> evaluations() const;
    void setEvaluations(const std::vector<experiments::SweepEvaluation>& evaluations);

    OptionRow* row(const std::string& id) const;
    CheckedEdit* depthsField(const std::string& id) const;  ///< null where there is none

    /// Whether a chosen evaluation needs contexts, or a text.
    bool usesContexts() const;
    bool usesText() const;

Q_SIGNALS:
    void edited();

private:
    struct Row {
        OptionRow* option;
        CheckedEdit* depths;
        bool usesContexts;
        bool usesText;
    };
    std::vector<Row> m_rows;
    std::vector<experiments::SweepEvaluation> m_further;
    QLabel* m_furtherNote;
};

}  // namespace kvist::ui
