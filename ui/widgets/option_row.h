// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCheckBox>
#include <QLabel>
#include <QToolButton>
#include <QWidget>
#include <functional>
#include <vector>

#include "ui/widgets/parameter_form.h"

namespace kvist::ui {

/// A policy or an evaluation that can be chosen: a check box, what was changed about it, and a button that
/// opens its explanation and its own parameters below.
class OptionRow : public QWidget {
    Q_OBJECT
public:
    OptionRow(const std::string& id, const QString& title, const QString& explanation,
              const std::vector<ParameterSpec>& parameters, QWidget* parent = nullptr);

    const std::string& id() const { return m_id; }
    bool isChosen() const;
    void setChosen(bool isChosen);
    ParameterForm* form() const { return m_form; }

    /// Whether title or explanation hold the text.
    bool describes(const QString& text) const;

    /// Marks the policy with its colour in the charts.
    void setMark(const QPixmap& mark);

    /// Puts a further widget, shown while the option is chosen, between title and parameters.
    void addField(QWidget* field);

    /// Puts a further setting below the parameters; `summary` says what was changed about it, for refresh().
    void addSetting(QWidget* setting, std::function<QString()> summary);

    /// Says again what was changed.
    void refresh();

    /// Opens parameters and settings if `field` is among them, so that a message in it is seen.
    void openParametersFor(const CheckedEdit* field);

Q_SIGNALS:
    void edited();

private:
    std::string m_id;
    QCheckBox* m_box;
    QLabel* m_summary;
    QToolButton* m_gear;
    QWidget* m_panel;
    ParameterForm* m_form;
    std::vector<QWidget*> m_fields;
    std::function<QString()> m_settingSummary;
};

}  // namespace kvist::ui
