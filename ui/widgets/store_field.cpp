// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/store_field.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include "engine/api/policy_catalog.h"
#include "ui/style/metrics.h"

namespace kvist::ui {

StoreField::StoreField(QWidget* parent) : QWidget(parent), m_choice(new QComboBox(this)) {
    auto* label = new QLabel(tr("Held as"), this);
    label->setBuddy(m_choice);
    m_choice->setObjectName(QStringLiteral("store"));
    m_choice->setAccessibleName(label->text());
    m_choice->setToolTip(tr("How the entries that stay are held"));
    auto* line = new QHBoxLayout;
    line->setContentsMargins(spacingUnit(this) * 3, 0, 0, 0);
    line->addWidget(label);
    line->addWidget(m_choice);
    line->addStretch();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacingUnit(this) / 2);
    layout->addLayout(line);
    m_choice->addItem(tr("full precision"), QString());
    for (const PolicyInfo& info : policyCatalog()) {
        if (!info.isStore) {
            continue;
        }
        m_choice->addItem(QString::fromStdString(info.title), QString::fromStdString(info.id));
        m_choice->setItemData(m_choice->count() - 1, QString::fromStdString(info.summary), Qt::ToolTipRole);
        auto* form = new ParameterForm(info.parameters, this);
        form->hide();
        connect(form, &ParameterForm::edited, this, &StoreField::edited);
        layout->addWidget(form);
        m_forms.push_back(form);
    }
    connect(m_choice, &QComboBox::currentIndexChanged, this, [this] {
        showChosen();
        Q_EMIT edited();
    });
}

ParameterForm* StoreField::chosenForm() const {
    const int index = m_choice->currentIndex() - 1;
    return index < 0 ? nullptr : m_forms[static_cast<std::size_t>(index)];
}

void StoreField::showChosen() {
    for (ParameterForm* form : m_forms) {
        form->setVisible(form == chosenForm());
    }
}

std::string StoreField::store() const {
    return m_choice->currentData().toString().toStdString();
}

experiments::AxisMap StoreField::parameters() const {
    const ParameterForm* form = chosenForm();
    return form == nullptr ? experiments::AxisMap() : form->values();
}

void StoreField::setStore(const std::string& store, const experiments::AxisMap& parameters) {
    const QSignalBlocker blocker(m_choice);
    m_choice->setCurrentIndex(std::max(0, m_choice->findData(QString::fromStdString(store))));
    for (ParameterForm* form : m_forms) {
        form->setValues(form == chosenForm() ? parameters : experiments::AxisMap());
    }
    showChosen();
}

CheckedEdit* StoreField::field(const std::string& name) const {
    const ParameterForm* form = chosenForm();
    return form == nullptr ? nullptr : form->field(name);
}

QString StoreField::summary() const {
    const ParameterForm* form = chosenForm();
    if (form == nullptr) {
        return {};
    }
    const QString parameters = form->summary();
    return parameters.isEmpty() ? m_choice->currentText()
                                : QStringLiteral("%1, %2").arg(m_choice->currentText(), parameters);
}

}  // namespace kvist::ui
