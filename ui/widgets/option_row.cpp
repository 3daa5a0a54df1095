// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/option_row.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include "ui/style/icons.h"
#include "ui/style/metrics.h"
#include "ui/widgets/role_label.h"

namespace kvist::ui {

OptionRow::OptionRow(const std::string& id, const QString& title, const QString& explanation,
                     const std::vector<ParameterSpec>& parameters, QWidget* parent)
    : QWidget(parent),
      m_id(id),
      m_box(new QCheckBox(title, this)),
      m_summary(makeLabel({}, TextRole::Muted, this)),
      m_gear(new QToolButton(this)),
      m_panel(new QWidget(this)),
      m_form(new ParameterForm(parameters, m_panel)) {
    setObjectName(QString::fromStdString(id));
    m_box->setToolTip(explanation);
    m_gear->setIcon(themedIcon(QStringLiteral("settings")));
    m_gear->setCheckable(true);
    m_gear->setAutoRaise(true);
    m_gear->setToolTip(tr("Explanation and parameters of %1").arg(title));
    m_gear->setAccessibleName(m_gear->toolTip());

    auto* line = new QHBoxLayout;
    line->addWidget(m_box);
    line->addStretch();
    line->addWidget(m_gear);

    auto* panelLayout = new QVBoxLayout(m_panel);
    panelLayout->setContentsMargins(0, 0, 0, spacingUnit(this) / 2);
    panelLayout->setSpacing(spacingUnit(this) / 2);
    auto* text = makeLabel(explanation, TextRole::Muted, m_panel);
    text->setContentsMargins(spacingUnit(this) * 3, 0, 0, 0);
    panelLayout->addWidget(text);
    panelLayout->addWidget(m_form);
    m_panel->hide();
    m_summary->setContentsMargins(spacingUnit(this) * 3, 0, 0, 0);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(line);
    layout->addWidget(m_summary);
    layout->addWidget(m_panel);

    connect(m_box, &QCheckBox::toggled, this, [this] {
        refresh();
        Q_EMIT edited();
    });
    connect(m_form, &ParameterForm::edited, this, [this] {
        refresh();
        Q_EMIT edited();
    });
    connect(m_gear, &QToolButton::toggled, this, [this](bool isOpen) {
        m_panel->setVisible(isOpen);
        refresh();
    });
    refresh();
}

bool OptionRow::isChosen() const {
    return m_box->isChecked();
}

void OptionRow::setChosen(bool isChosen) {
    m_box->setChecked(isChosen);
    refresh();
}

bool OptionRow::describes(const QString& text) const {
    return m_box->text().contains(text, Qt::CaseInsensitive) || m_box->toolTip().contains(text, Qt::CaseInsensitive);
}

void OptionRow::setMark(const QPixmap& mark) {
    m_box->setIcon(QIcon(mark));
}

void OptionRow::addField(QWidget* field) {
    auto* layout = static_cast<QVBoxLayout*>(this->layout());
    layout->insertWidget(1 + static_cast<int>(m_fields.size()), field);
    m_fields.push_back(field);
    refresh();
}

void OptionRow::addSetting(QWidget* setting, std::function<QString()> summary) {
    m_panel->layout()->addWidget(setting);
    m_settingSummary = std::move(summary);
    refresh();
}

void OptionRow::openParametersFor(const CheckedEdit* field) {
    if (field != nullptr && m_panel->isAncestorOf(field)) {
        m_gear->setChecked(true);
    }
}

void OptionRow::refresh() {
    QStringList parts{m_form->summary()};
    if (m_settingSummary) {
        parts << m_settingSummary();
    }
    parts.removeAll(QString());
    const QString summary = parts.join(QStringLiteral("; "));
    m_summary->setText(summary);
    m_summary->setVisible(!summary.isEmpty() && m_panel->isHidden());
    for (QWidget* field : m_fields) {
        field->setVisible(isChosen());
    }
}

}  // namespace kvist::ui
