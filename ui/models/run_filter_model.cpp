// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/run_filter_model.h"

#include <algorithm>

#include "ui/models/run_table_model.h"

namespace kvist::ui {

RunFilterModel::RunFilterModel(QObject* parent) : QSortFilterProxyModel(parent) {
    setSortRole(RunTableModel::kSortRole);
    setSortLocaleAware(true);
    setDynamicSortFilter(true);
}

void RunFilterModel::setWords(const QString& text) {
    m_words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    invalidateFilter();
}

bool RunFilterModel::filterAcceptsRow(int row, const QModelIndex& parent) const {
    if (m_words.isEmpty()) {
        return true;
    }
    QString all;
    for (int column = 0; column < sourceModel()->columnCount(parent); ++column) {
        all += sourceModel()->index(row, column, parent).data(Qt::DisplayRole).toString() + QLatin1Char('\n');
    }
    return std::all_of(m_words.begin(), m_words.end(),
                       [&all](const QString& word) { return all.contains(word, Qt::CaseInsensitive); });
}

bool RunFilterModel::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    const bool hasLeft = left.data(sortRole()).isValid();
    const bool hasRight = right.data(sortRole()).isValid();
    if (hasLeft != hasRight) {
        return hasLeft == (sortOrder() == Qt::AscendingOrder);
    }
    return QSortFilterProxyModel::lessThan(left, right);
}

}  // namespace kvist::ui
