// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPushButton>
#include <QTextBrowser>
#include <QWidget>
#include <functional>

#include "ui/models/run_table_model.h"
#include "ui/selection.h"

namespace kvist::ui {

/// All that is known about the selected run, what it wrote, and how to repeat it; of two or more runs only what
/// differs.
class DetailsPanel : public QWidget {
    Q_OBJECT
public:
    /// The long parts of a finished run.
    using Reader = std::function<experiments::RunDetails(experiments::RunId)>;

    DetailsPanel(const RunTableModel& model, const Selection& selection, Reader reader, QWidget* parent = nullptr);

public Q_SLOTS:
    void refresh();

protected:
    void changeEvent(QEvent* event) override;

private:
    RunList selectedRuns() const;
    const std::map<std::string, std::string>& writtenBy(const experiments::RunRecord& run);
    void copyCommand() const;
    void copyJson() const;

    const RunTableModel& m_model;
    const Selection& m_selection;
    const Reader m_reader;
    std::string m_writer;  ///< number and start of the run that m_written is of
    std::map<std::string, std::string> m_written;
    QTextBrowser* m_text;
    QPushButton* m_copyCommand;
    QPushButton* m_copyJson;
};

}  // namespace kvist::ui
