// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/docks/runs_panel.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QVBoxLayout>
#include <algorithm>
#include <map>

#include "ui/models/mark_delegates.h"
#include "ui/models/run_columns.h"
#include "ui/style/icons.h"
#include "ui/style/metrics.h"
#include "ui/widgets/role_label.h"

namespace kvist::ui {

using experiments::RunId;

RunsPanel::RunsPanel(RunTableModel& model, Selection& selection, QWidget* parent)
    : QWidget(parent),
      m_selection(selection),
      m_filter(new QLineEdit(this)),
      m_count(makeLabel({}, TextRole::Muted, this)),
      m_table(new QTableView(this)) {
    m_filtered.setSourceModel(&model);
    m_filter->setObjectName(QStringLiteral("filter"));
    m_filter->setPlaceholderText(tr("Filter: words that a run must contain"));
    m_filter->setAccessibleName(tr("Filter of the runs"));
    m_filter->setClearButtonEnabled(true);
    m_filter->addAction(themedIcon(QStringLiteral("filter")), QLineEdit::LeadingPosition);
    m_count->setWordWrap(false);

    m_table->setObjectName(QStringLiteral("runs"));
    m_table->setAccessibleName(tr("Runs"));
    m_table->setModel(&m_filtered);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(-1, Qt::AscendingOrder);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
    m_table->setWordWrap(false);
    m_table->setShowGrid(false);
    m_table->setAlternatingRowColors(true);
    m_table->setFont(tabularFont(font()));
    m_table->setItemDelegateForColumn(kStateColumn, new StateMarkDelegate(m_table));
    m_table->setItemDelegateForColumn(kPolicyColumn, new PolicyMarkDelegate(m_table));
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->verticalHeader()->setDefaultSectionSize(spacingUnit(this) * 3);
    m_table->horizontalHeader()->setSectionsMovable(true);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->horizontalHeader()->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_table->horizontalHeader(), &QWidget::customContextMenuRequested, this, &RunsPanel::showColumnsMenu);
    m_table->setTabKeyNavigation(false);

    auto* header = new QHBoxLayout;
    header->addWidget(m_filter, 1);
    header->addWidget(m_count);
    auto* layout = new QVBoxLayout(this);
    const int unit = spacingUnit(this);
    layout->setContentsMargins(unit / 2, unit / 2, unit / 2, 0);
    layout->setSpacing(unit / 2);
    layout->addLayout(header);
    layout->addWidget(m_table, 1);

    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_filtered.setWords(text);
        refreshCount();
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &RunsPanel::readSelection);
    connect(&selection, &Selection::changed, this, &RunsPanel::selectRuns);
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved}) {
        connect(&m_filtered, signal, this, &RunsPanel::refreshCount);
    }
    connect(&m_filtered, &QAbstractItemModel::modelReset, this, &RunsPanel::refreshCount);
    setUsualColumns();
    refreshCount();
}

void RunsPanel::addMenuActions(const QList<QAction*>& actions) {
    m_table->addActions(actions);
}

void RunsPanel::revealRun(RunId id) {
    if (m_table->hasFocus() || m_table->underMouse() || m_table->selectionModel()->hasSelection()) {
        return;
    }
    for (int row = 0; row < m_filtered.rowCount(); ++row) {
        const QModelIndex first = m_filtered.index(row, 0);
        if (first.data(RunTableModel::kRunIdRole).toLongLong() == id) {
            m_table->scrollTo(first);
            return;
        }
    }
}

QString RunsPanel::text(TableFormat format) const {
    const auto* header = m_table->horizontalHeader();
    QList<int> columns;
    for (int place = 0; place < header->count(); ++place) {
        if (const int column = header->logicalIndex(place); !header->isSectionHidden(column)) {
            columns << column;
        }
    }
    std::vector<QStringList> rows(1);
    for (const int column : columns) {
        rows[0] << m_filtered.headerData(column, Qt::Horizontal).toString();
    }
    const bool all = !m_table->selectionModel()->hasSelection();
    for (int row = 0; row < m_filtered.rowCount(); ++row) {
        if (!all && !m_table->selectionModel()->isRowSelected(row)) {
            continue;
        }
        QStringList cells;
        for (const int column : columns) {
            cells << m_filtered.index(row, column).data().toString();
        }
        rows.push_back(cells);
    }
    return tableText(rows, format);
}

void RunsPanel::copy(TableFormat format) const {
    QGuiApplication::clipboard()->setText(text(format));
}

QByteArray RunsPanel::saveState() const {
    return m_table->horizontalHeader()->saveState();
}

void RunsPanel::restoreState(const QByteArray& state) {
    if (!state.isEmpty()) {
        m_table->horizontalHeader()->restoreState(state);
    }
}

void RunsPanel::setUsualColumns() {
    auto* header = m_table->horizontalHeader();
    const QFontMetrics metrics(m_table->font());
    const int margin = spacingUnit(this) * 2;
    // What each column must hold besides its title.
    const std::map<QString, QString> samples{{QStringLiteral("policy"), tr("00 Attention score")},
                                             {QStringLiteral("budget"), QStringLiteral("16384")},
                                             {QStringLiteral("context"), QStringLiteral("4096 + 2048")},
                                             {QStringLiteral("perplexity"), QStringLiteral("123.45 ± 1.23")},
                                             {QStringLiteral("delta_nll"), QStringLiteral("-0.1234")},
                                             {QStringLiteral("kl"), QStringLiteral("0.1234")},
                                             {QStringLiteral("policy_time"), QStringLiteral("12.345")},
                                             {QStringLiteral("memory"), QStringLiteral("1234.56")},
                                             {QStringLiteral("speed"), QStringLiteral("1234.5")},
                                             {QStringLiteral("seconds"), QStringLiteral("10:00 min")},
                                             {QStringLiteral("message"), QString(24, QLatin1Char('n'))},
                                             {QStringLiteral("parameters"), QStringLiteral("recent 32, sinks 4")},
                                             {QStringLiteral("evaluation"), tr("Retrieval, multi-query, any depth")},
                                             {QStringLiteral("model"), QStringLiteral("demo_model float32")}};
    for (int column = 0; column < header->count(); ++column) {
        const RunColumn& info = runColumns()[static_cast<std::size_t>(column)];
        const int title = metrics.horizontalAdvance(info.title);
        header->moveSection(header->visualIndex(column), column);
        header->setSectionHidden(column, false);
        const auto sample = samples.find(info.id);
        const int content = sample == samples.end() ? 0 : metrics.horizontalAdvance(sample->second);
        header->resizeSection(column, std::max(title, content) + margin);
    }
}

void RunsPanel::showColumnsMenu(const QPoint& position) {
    auto* header = m_table->horizontalHeader();
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (int column = kFirstFreeColumn; column < header->count(); ++column) {
        QAction* action = menu->addAction(runColumns()[static_cast<std::size_t>(column)].title);
        action->setCheckable(true);
        action->setChecked(!header->isSectionHidden(column));
        connect(action, &QAction::toggled, this,
                [header, column](bool isShown) { header->setSectionHidden(column, !isShown); });
    }
    menu->popup(header->mapToGlobal(position));
}

void RunsPanel::selectRuns() {
    if (m_isSelecting) {
        return;
    }
    m_isSelecting = true;
    QItemSelection selected;
    for (int row = 0; row < m_filtered.rowCount(); ++row) {
        const QModelIndex first = m_filtered.index(row, 0);
        if (m_selection.runs().contains(first.data(RunTableModel::kRunIdRole).toLongLong())) {
            selected.select(first, m_filtered.index(row, m_filtered.columnCount() - 1));
        }
    }
    m_table->selectionModel()->select(selected, QItemSelectionModel::ClearAndSelect);
    m_isSelecting = false;
}

void RunsPanel::readSelection() {
    if (m_isSelecting) {
        return;
    }
    QList<RunId> runs;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows()) {
        runs << index.data(RunTableModel::kRunIdRole).toLongLong();
    }
    std::sort(runs.begin(), runs.end());
    m_isSelecting = true;
    m_selection.setRuns(runs);
    m_isSelecting = false;
}

void RunsPanel::refreshCount() {
    const int shown = m_filtered.rowCount();
    const int all = m_filtered.sourceModel()->rowCount();
    const QString total = all == 1 ? tr("1 run") : tr("%1 runs").arg(all);
    m_count->setText(shown == all ? total : tr("%1 of %2").arg(shown).arg(total));
}

}  // namespace kvist::ui
