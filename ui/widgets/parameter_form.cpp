// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/parameter_form.h"

#include <QCompleter>
#include <QFormLayout>
#include <algorithm>
#include <set>

#include "experiments/number_text.h"
#include "experiments/value_range.h"
#include "ui/style/metrics.h"

namespace kvist::ui {

namespace {

/// The parameter that says whose scores are used; others may belong to one of its values.
constexpr const char* kBase = "base";

QString number(double value) {
    return QString::fromStdString(experiments::numberText(value));
}

QStringList choicesOf(const ParameterSpec& spec) {
    if (spec.type == ParameterType::Boolean) {
        return {QStringLiteral("true"), QStringLiteral("false")};
    }
    QStringList choices;
    for (const std::string& choice : spec.choices) {
        choices << QString::fromStdString(choice);
    }
    return choices;
}

QString checkValues(const ParameterSpec& spec, const QString& text) {
    const auto values = experiments::expandedValues(spec, text.toStdString());
    return values ? QString() : QString::fromStdString(values.refusal().message);
}

}  // namespace

QString parameterHelp(const ParameterSpec& spec) {
    QString range = choicesOf(spec).join(QStringLiteral(", "));
    if (spec.type == ParameterType::Integer || spec.type == ParameterType::Real) {
        range = QStringLiteral("%1 … %2").arg(number(spec.minimum), number(spec.maximum));
        if (!spec.unit.empty()) {
            range += QLatin1Char(' ') + QString::fromStdString(spec.unit);
        }
    }
    return ParameterForm::tr("%1\n%2, default %3; a list (4, 8) or a range (4-32*2) becomes an axis")
        .arg(QString::fromStdString(spec.help), range, QString::fromStdString(toText(spec.defaultValue)));
}

ParameterForm::ParameterForm(const std::vector<ParameterSpec>& specs, QWidget* parent) : QWidget(parent) {
    auto* layout = new QFormLayout(this);
    layout->setContentsMargins(spacingUnit(this) * 3, 0, 0, 0);
    layout->setSpacing(spacingUnit(this) / 2);
    for (const ParameterSpec& spec : specs) {
        auto* field = new CheckedEdit(this);
        const QString name = QString::fromStdString(spec.base.empty() ? spec.name : spec.base + '.' + spec.name);
        const QString title = QString::fromStdString(spec.title);
        field->setObjectName(name);
        field->edit()->setAccessibleName(title);
        field->setToolTip(parameterHelp(spec));
        if (const QStringList choices = choicesOf(spec); !choices.isEmpty()) {
            field->edit()->setCompleter(new QCompleter(choices, field));
        }
        field->setText(QString::fromStdString(toText(spec.defaultValue)));
        field->setCheck([spec](const QString& text) { return checkValues(spec, text); });
        connect(field, &CheckedEdit::textEdited, this, [this, isBase = spec.name == kBase] {
            if (isBase) {
                showApplicable();
            }
            Q_EMIT edited();
        });
        const QString unit = QString::fromStdString(spec.unit);
        layout->addRow(unit.isEmpty() ? title : QStringLiteral("%1 (%2)").arg(title, unit), field);
        m_rows.push_back({spec, field});
    }
    showApplicable();
}

void ParameterForm::showApplicable() {
    std::vector<std::string> bases;
    std::set<std::string> shown;
    for (const Row& row : m_rows) {
        if (row.spec.name == kBase) {
            bases = experiments::axisItems(row.field->text().toStdString());
        }
    }
    for (Row& row : m_rows) {
        const bool applies =
            row.spec.base.empty() || std::find(bases.begin(), bases.end(), row.spec.base) != bases.end();
        row.isShown = applies && shown.insert(row.spec.name).second;
        static_cast<QFormLayout*>(layout())->setRowVisible(row.field, row.isShown);
    }
}

experiments::AxisMap ParameterForm::values() const {
    experiments::AxisMap values;
    for (const Row& row : m_rows) {
        const std::string text = row.field->text().toStdString();
        if (!row.isShown) {
            continue;
        }
        if (row.isGiven || text != toText(row.spec.defaultValue)) {
            values[row.spec.name] = text;
        }
    }
    return values;
}

void ParameterForm::setValues(const experiments::AxisMap& values) {
    const auto set = [&](Row& row) {
        const auto found = values.find(row.spec.name);
        row.isGiven = found != values.end() && row.isShown;
        row.field->setText(QString::fromStdString(row.isGiven ? found->second : toText(row.spec.defaultValue)));
    };
    for (Row& row : m_rows) {
        if (row.spec.name == kBase) {
            set(row);
        }
    }
    showApplicable();
    std::for_each(m_rows.begin(), m_rows.end(), set);
}

CheckedEdit* ParameterForm::field(const std::string& name) const {
    for (const Row& row : m_rows) {
        if (row.spec.name == name && row.isShown) {
            return row.field;
        }
    }
    return nullptr;
}

QString ParameterForm::summary() const {
    QStringList parts;
    for (const Row& row : m_rows) {
        if (row.isShown && row.field->text().toStdString() != toText(row.spec.defaultValue)) {
            parts << QStringLiteral("%1 %2").arg(QString::fromStdString(row.spec.title).toLower(), row.field->text());
        }
    }
    return parts.join(QStringLiteral(", "));
}

}  // namespace kvist::ui
