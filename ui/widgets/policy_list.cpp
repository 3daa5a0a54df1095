// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/policy_list.h"

#include <QEvent>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/api/policy_catalog.h"
#include "ui/style/metrics.h"
#include "ui/style/series_mark.h"
#include "ui/widgets/role_label.h"

namespace kvist::ui {

namespace {

constexpr std::size_t kSearchedFrom = 8;

QString explanationOf(const PolicyInfo& info) {
    QStringList lines{QString::fromStdString(info.summary)};
    if (!info.paper.empty()) {
        lines << QString::fromStdString(info.paper);
    }
    if (info.isReconstruction) {
        lines << PolicyList::tr("A reconstruction: not in every detail the paper's method.");
    }
    const auto addLine = [&](const QString& text, const std::string& value) {
        if (!value.empty()) {
            lines << text.arg(QString::fromStdString(value));
        }
    };
    addLine(PolicyList::tr("Needs: %1."), info.needs);
    addLine(PolicyList::tr("Saves: %1."), info.saves);
    addLine(PolicyList::tr("Costs: %1."), info.costs);
    lines.removeAll(QString());
    return lines.join(QLatin1Char('\n'));
}

}  // namespace

PolicyList::PolicyList(QWidget* parent)
    : QWidget(parent), m_search(new QLineEdit(this)), m_furtherNote(makeLabel({}, TextRole::Muted, this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_search->setPlaceholderText(tr("Search policies"));
    m_search->setAccessibleName(m_search->placeholderText());
    m_search->setClearButtonEnabled(true);
    m_search->setVisible(policyCatalog().size() > kSearchedFrom);
    connect(m_search, &QLineEdit::textChanged, this, &PolicyList::filterRows);
    layout->addWidget(m_search);
    std::string group;
    for (const PolicyInfo& info : policyCatalog()) {
        if (info.group != group) {
            group = info.group;
            auto* heading = makeLabel(QString::fromStdString(group), TextRole::Muted, this);
            heading->setContentsMargins(0, spacingUnit(this) / 2, 0, 0);
            layout->addWidget(heading);
            m_groups.push_back({heading, {}});
        }
        auto* row =
            new OptionRow(info.id, QString::fromStdString(info.title), explanationOf(info), info.parameters, this);
        connect(row, &OptionRow::edited, this, &PolicyList::edited);
        layout->addWidget(row);
        m_rows.push_back(row);
        m_stores.push_back(info.isStore ? nullptr : addStore(row));
        m_groups.back().rows.push_back(row);
    }
    layout->addWidget(m_furtherNote);
    m_furtherNote->hide();
    paintMarks();
}

StoreField* PolicyList::addStore(OptionRow* row) {
    auto* field = new StoreField(row);
    row->addSetting(field, [field] { return field->summary(); });
    connect(field, &StoreField::edited, this, [this, row] {
        row->refresh();
        Q_EMIT edited();
    });
    return field;
}

std::vector<experiments::SweepPolicy> PolicyList::policies() const {
    std::vector<experiments::SweepPolicy> policies;
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const OptionRow* row = m_rows[i];
        if (!row->isChosen()) {
            continue;
        }
        policies.push_back({row->id(), row->form()->values()});
        if (const StoreField* field = m_stores[i]) {
            policies.back().store = field->store();
            policies.back().storeParameters = field->parameters();
        }
        std::copy_if(m_further.begin(), m_further.end(), std::back_inserter(policies),
                     [row](const experiments::SweepPolicy& policy) { return policy.id == row->id(); });
    }
    return policies;
}

void PolicyList::setPolicies(const std::vector<experiments::SweepPolicy>& policies) {
    m_further.clear();
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        OptionRow* row = m_rows[i];
        StoreField* store = m_stores[i];
        bool isFirst = true;
        row->form()->setValues({});
        if (store != nullptr) {
            store->setStore({}, {});
        }
        for (const experiments::SweepPolicy& policy : policies) {
            if (policy.id != row->id()) {
                continue;
            }
            if (isFirst) {
                row->form()->setValues(policy.parameters);
                if (store != nullptr) {
                    store->setStore(policy.store, policy.storeParameters);
                }
                isFirst = false;
            } else {
                m_further.push_back(policy);
            }
        }
        row->setChosen(!isFirst);
    }
    m_furtherNote->setText(tr("The file asks for a policy with more than one set of parameters. The first is shown; "
                              "further ones are kept as they stand in the file: %1.")
                               .arg(m_further.size()));
    m_furtherNote->setVisible(!m_further.empty());
}

OptionRow* PolicyList::row(const std::string& id) const {
    const auto found =
        std::find_if(m_rows.begin(), m_rows.end(), [&](const OptionRow* row) { return row->id() == id; });
    return found == m_rows.end() ? nullptr : *found;
}

StoreField* PolicyList::store(const std::string& id) const {
    const OptionRow* found = row(id);
    return found == nullptr ? nullptr : found->findChild<StoreField*>();
}

void PolicyList::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        paintMarks();
    }
}

void PolicyList::filterRows(const QString& text) {
    for (const Group& group : m_groups) {
        bool isAnyShown = false;
        for (OptionRow* row : group.rows) {
            const bool isShown = row->isChosen() || row->describes(text);
            row->setVisible(isShown);
            isAnyShown = isAnyShown || isShown;
        }
        group.heading->setVisible(isAnyShown);
    }
}

void PolicyList::paintMarks() {
    for (OptionRow* row : m_rows) {
        row->setMark(policyMark(row->id(), this));
    }
}

}  // namespace kvist::ui
