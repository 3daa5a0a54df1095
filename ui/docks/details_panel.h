// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPushButton>
#include <QTextBrowser>
#include <QWidget>

#include "ui/models/run_table_model.h"
#include "ui/selection.h"

namespace kvist::ui {

/// All that is known about the selected run, and how to repeat it; of two or more runs only what differs.
class DetailsPanel : public QWidget {
    Q_OBJECT
public:
    DetailsPanel(const RunTableModel& model, const Selection& selection, QWidget* parent = nullptr);

public Q_SLOTS:
    void refresh();

protected:
    void changeEvent(QEvent* event) override;

private:
    RunList selectedRuns() const;
    void copyCommand() const;
    void copyJson() const;

    const RunTableModel& m_model;
    const Selection& m_selection;
    QTextBrowser* m_text;
    QPushButton* m_copyCommand;
    QPushButton* m_copyJson;
};

}  // namespace kvist::ui
