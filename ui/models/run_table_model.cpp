// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/run_table_model.h"

#include <QApplication>
#include <QFontMetrics>
#include <QIcon>
#include <cmath>

#include "ui/charts/store_text.h"
#include "ui/style/icons.h"
#include "ui/style/theme_colors.h"

namespace kvist::ui {

using experiments::RunId;
using experiments::RunRecord;
using experiments::RunState;

namespace {

QColor stateColor(RunState state) {
    const ThemeColors& colors = currentColors();
    switch (state) {
        case RunState::Running:
            return colors.accent;
        case RunState::Failed:
            return colors.error;
        case RunState::Interrupted:
            return colors.warning;
        case RunState::Finished:
            return colors.text;
        case RunState::Queued:
        case RunState::Cancelled:
            break;
    }
    return colors.muted;
}

QPixmap stateMark(RunState state) {
    const int extent = QFontMetrics(QApplication::font()).height();
    return tintedPixmap(stateIcon(state), stateColor(state), extent, qApp->devicePixelRatio());
}

}  // namespace

void RunTableModel::setRecords(const std::vector<RunRecord>& records) {
    beginResetModel();
    m_records = records;
    m_rows.clear();
    for (std::size_t row = 0; row < m_records.size(); ++row) {
        m_rows[m_records[row].id] = row;
    }
    endResetModel();
}

void RunTableModel::putRecord(const RunRecord& record) {
    const auto found = m_rows.find(record.id);
    if (found != m_rows.end()) {
        m_records[found->second] = record;
        const int row = static_cast<int>(found->second);
        Q_EMIT dataChanged(index(row, 0), index(row, columnCount() - 1));
        return;
    }
    const int row = static_cast<int>(m_records.size());
    beginInsertRows({}, row, row);
    m_rows[record.id] = m_records.size();
    m_records.push_back(record);
    endInsertRows();
}

const RunRecord* RunTableModel::record(RunId id) const {
    const auto found = m_rows.find(id);
    return found == m_rows.end() ? nullptr : &m_records[found->second];
}

RunList RunTableModel::runs() const {
    RunList runs;
    runs.reserve(m_records.size());
    for (const RunRecord& record : m_records) {
        runs.push_back(&record);
    }
    return runs;
}

int RunTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_records.size());
}

int RunTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(runColumns().size());
}

QVariant RunTableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
        return {};
    }
    const RunRecord& record = m_records[static_cast<std::size_t>(index.row())];
    const RunColumn& column = runColumns()[static_cast<std::size_t>(index.column())];
    switch (role) {
        case Qt::DisplayRole:
            return column.cell(record, runs()).text;
        case Qt::ToolTipRole: {
            const QString exact = column.cell(record, runs()).exact;
            const bool explains = index.column() == kStateColumn && !record.errorMessage.empty();
            return explains ? exact + QLatin1Char('\n') + QString::fromStdString(record.errorMessage) : exact;
        }
        case Qt::TextAlignmentRole:
            return QVariant(Qt::AlignVCenter | (column.isNumber ? Qt::AlignRight : Qt::AlignLeft));
        case Qt::DecorationRole:
            return index.column() == kStateColumn ? QVariant(stateMark(record.state)) : QVariant();
        case Qt::ForegroundRole:
            if (record.state == RunState::Failed && column.id == QLatin1String("message")) {
                return currentColors().error;
            }
            return {};
        case kSortRole: {
            const RunCell cell = column.cell(record, runs());
            if (column.isNumber || index.column() == kStateColumn) {
                return std::isfinite(cell.number) ? QVariant(cell.number) : QVariant();
            }
            return cell.text.isEmpty() ? QVariant() : QVariant(cell.text);
        }
        case kRunIdRole:
            return record.id;
        case kPolicyRole:
            return QString::fromStdString(leadingPolicy(record.config));
        default:
            return {};
    }
}

QVariant RunTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) {
        return {};
    }
    const RunColumn& column = runColumns()[static_cast<std::size_t>(section)];
    switch (role) {
        case Qt::DisplayRole:
            return column.title;
        case Qt::ToolTipRole:
            return column.help;
        case Qt::TextAlignmentRole:
            return QVariant(Qt::AlignVCenter | (column.isNumber ? Qt::AlignRight : Qt::AlignLeft));
        default:
            return {};
    }
}

}  // namespace kvist::ui
