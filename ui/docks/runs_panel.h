// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QTableView>
#include <QWidget>

#include "ui/models/run_filter_model.h"
#include "ui/models/run_table_model.h"
#include "ui/report/text_table.h"
#include "ui/selection.h"

namespace kvist::ui {

/// The runs table with its filter. Keeps the selection and the selected rows the same.
class RunsPanel : public QWidget {
    Q_OBJECT
public:
    RunsPanel(RunTableModel& model, Selection& selection, QWidget* parent = nullptr);

    QTableView* table() const { return m_table; }
    QLineEdit* filter() const { return m_filter; }

    /// Adds the actions of the context menu that the window has in its own menus.
    void addMenuActions(const QList<QAction*>& actions);

    /// Scrolls to a run unless the user works with the table.
    void revealRun(experiments::RunId id);

    /// The selected rows, or all shown ones where none is selected, as the table shows them.
    QString text(TableFormat format) const;
    void copy(TableFormat format) const;

    QByteArray saveState() const;
    void restoreState(const QByteArray& state);
    void setUsualColumns();

private:
    void showColumnsMenu(const QPoint& position);
    void selectRuns();
    void readSelection();
    void refreshCount();

    RunFilterModel m_filtered;
    Selection& m_selection;
    QLineEdit* m_filter;
    QLabel* m_count;
    QTableView* m_table;
    bool m_isSelecting = false;
};

}  // namespace kvist::ui
