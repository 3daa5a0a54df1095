// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "engine/api/parameter_spec.h"
#include "experiments/sweep.h"
#include "ui/widgets/checked_edit.h"

namespace kvist::ui {

/// Fields for the parameters of a policy or an evaluation, built from their specs. Every field takes a list
/// or a range, which makes it an axis of the sweep. Parameters of a base are shown while it is chosen.
class ParameterForm : public QWidget {
    Q_OBJECT
public:
    explicit ParameterForm(const std::vector<ParameterSpec>& specs, QWidget* parent = nullptr);

    /// The texts that differ from the default or were given.
    experiments::AxisMap values() const;
    void setValues(const experiments::AxisMap& values);

    /// The field of a parameter, or null.
    CheckedEdit* field(const std::string& name) const;

    /// "sinks 4, recent 16-64*2": what differs from the defaults.
    QString summary() const;

Q_SIGNALS:
    void edited();

private:
    struct Row {
        ParameterSpec spec;
        CheckedEdit* field;
        bool isGiven = false;
        bool isShown = true;
    };
    void showApplicable();

    std::vector<Row> m_rows;
};

/// "0 … 4096 entries, default 4. First entries, always kept."
QString parameterHelp(const ParameterSpec& spec);

}  // namespace kvist::ui
