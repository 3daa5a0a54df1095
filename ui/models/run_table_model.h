// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <unordered_map>
#include <vector>

#include "experiments/run_record.h"
#include "ui/models/run_columns.h"

namespace kvist::ui {

/// Runs as a table, in the order in which they were stored. Holds its own copies; knows no controller.
class RunTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Role { kSortRole = Qt::UserRole, kRunIdRole, kPolicyRole };

    explicit RunTableModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

    void setRecords(const std::vector<experiments::RunRecord>& records);
    /// Adds the record, or replaces the one with its id.
    void putRecord(const experiments::RunRecord& record);

    const std::vector<experiments::RunRecord>& records() const { return m_records; }
    const experiments::RunRecord* record(experiments::RunId id) const;
    /// Pointers to all records, good until the next change.
    RunList runs() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<experiments::RunRecord> m_records;
    std::unordered_map<experiments::RunId, std::size_t> m_rows;
};

}  // namespace kvist::ui
