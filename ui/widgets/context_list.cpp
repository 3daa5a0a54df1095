// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/context_list.h"

#include <QHBoxLayout>
#include <QToolButton>
#include <algorithm>

#include "experiments/value_range.h"
#include "ui/style/icons.h"
#include "ui/style/metrics.h"

namespace kvist::ui {

namespace {

constexpr std::int64_t kMostTokens = std::int64_t{1} << 40;

}  // namespace

ContextList::ContextList(QWidget* parent) : QWidget(parent), m_layout(new QVBoxLayout(this)) {
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(spacingUnit(this) / 2);
    addLine({});
}

std::vector<experiments::SweepContext> ContextList::contexts() const {
    std::vector<experiments::SweepContext> contexts;
    for (const Line& line : m_lines) {
        contexts.push_back({line.warm->text().toStdString(), line.score->text().toStdString()});
    }
    return contexts;
}

void ContextList::setContexts(const std::vector<experiments::SweepContext>& contexts) {
    while (m_lines.size() > std::max<std::size_t>(1, contexts.size())) {
        removeLine(m_lines.back().widget);
    }
    for (std::size_t index = 0; index < contexts.size(); ++index) {
        if (index == m_lines.size()) {
            addLine(contexts[index]);
        }
        m_lines[index].warm->setText(QString::fromStdString(contexts[index].warm));
        m_lines[index].score->setText(QString::fromStdString(contexts[index].score));
    }
}

void ContextList::addLine(const experiments::SweepContext& context) {
    const bool isFirst = m_lines.empty();
    Line line{new QWidget(this), nullptr, nullptr};
    line.warm = makeField(QStringLiteral("warm"), tr("Warm"),
                          tr("Tokens fed before the scored ones; their predictions are not scored"), context.warm, 0,
                          line.widget);
    line.score = makeField(QStringLiteral("score"), tr("Score"), tr("Tokens whose predictions are scored"),
                           context.score, 1, line.widget);
    auto* button = new QToolButton(line.widget);
    button->setAutoRaise(true);
    button->setIcon(themedIcon(isFirst ? QStringLiteral("add") : QStringLiteral("close")));
    button->setToolTip(isFirst ? tr("Measure a further context") : tr("Leave this context out"));
    button->setAccessibleName(button->toolTip());
    connect(button, &QToolButton::clicked, this, [this, isFirst, widget = line.widget] {
        if (isFirst) {
            addLine(contexts().back());
        } else {
            removeLine(widget);
        }
        Q_EMIT edited();
    });
    auto* layout = new QHBoxLayout(line.widget);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacingUnit(this) / 2);
    layout->addWidget(line.warm);
    auto* between = new QLabel(tr("then"), line.widget);
    between->setMinimumHeight(line.warm->edit()->sizeHint().height());
    layout->addWidget(between, 0, Qt::AlignTop);
    layout->addWidget(line.score);
    layout->addWidget(button, 0, Qt::AlignTop);
    m_layout->addWidget(line.widget);
    m_lines.push_back(line);
    line.widget->show();
}

void ContextList::removeLine(QWidget* widget) {
    std::erase_if(m_lines, [widget](const Line& line) { return line.widget == widget; });
    widget->hide();
    widget->deleteLater();
}

CheckedEdit* ContextList::makeField(const QString& id, const QString& name, const QString& help,
                                    const std::string& text, int least, QWidget* parent) {
    auto* field = new CheckedEdit(parent);
    field->setObjectName(id);
    field->edit()->setAccessibleName(name);
    field->setToolTip(tr("%1; a list or a range becomes an axis").arg(help));
    field->setText(QString::fromStdString(text));
    field->setCheck([least](const QString& entered) {
        const auto values = experiments::expandedIntegers(entered.toStdString(), least, kMostTokens);
        return values ? QString() : QString::fromStdString(values.refusal().message);
    });
    connect(field, &CheckedEdit::textEdited, this, &ContextList::edited);
    return field;
}

}  // namespace kvist::ui
