// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QWidget>
#include <vector>

#include "experiments/sweep.h"
#include "ui/widgets/parameter_form.h"

namespace kvist::ui {

/// How the entries that a policy keeps are held: in full precision, or in one of the catalog's stores with its
/// parameters.
class StoreField : public QWidget {
    Q_OBJECT
public:
    explicit StoreField(QWidget* parent = nullptr);

    /// Id of the store; empty in full precision.
    std::string store() const;
    experiments::AxisMap parameters() const;
    void setStore(const std::string& store, const experiments::AxisMap& parameters);

    /// The field of a parameter of the chosen store; null where there is none.
    CheckedEdit* field(const std::string& name) const;

    /// "KIVI, key bits 2"; empty in full precision.
    QString summary() const;

Q_SIGNALS:
    void edited();

private:
    ParameterForm* chosenForm() const;
    void showChosen();

    QComboBox* m_choice;
    std::vector<ParameterForm*> m_forms;  // of the choices, the first of which has none
};

}  // namespace kvist::ui
