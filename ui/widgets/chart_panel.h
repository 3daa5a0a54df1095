// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QToolButton>
#include <QWidget>

#include "ui/charts/chart_view.h"

namespace kvist::ui {

/// A chart with its title, a choice of what it shows where there is one, a button that follows the data again after
/// zooming, and one that exports it.
class ChartPanel : public QWidget {
    Q_OBJECT
public:
    explicit ChartPanel(QWidget* parent = nullptr);

    void setSpec(const ChartSpec& spec);
    const ChartSpec& spec() const { return m_view->plot()->spec(); }
    ChartView* view() const { return m_view; }

Q_SIGNALS:
    /// The user wants to see this one of ChartSpec::choices.
    void choiceMade(const QString& chart, const QString& choice);
    void pictureExportRequested(const kvist::ui::ChartSpec& spec, int scale);
    void svgExportRequested(const kvist::ui::ChartSpec& spec);
    void csvExportRequested(const kvist::ui::ChartSpec& spec);

private:
    void showChoices(const ChartSpec& spec);

    QLabel* m_title;
    QComboBox* m_choice;
    QToolButton* m_follow;
    ChartView* m_view;
};

}  // namespace kvist::ui
