// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTabWidget>
#include <vector>

#include "ui/run_feed.h"
#include "ui/widgets/chart_panel.h"

namespace kvist::ui {

/// The charts: four as tiles on the first tab, and each on a tab of its own. Only what is seen is redrawn.
class ChartArea : public QTabWidget {
    Q_OBJECT
public:
    explicit ChartArea(RunFeed& feed, QWidget* parent = nullptr);

    /// The charts as they are now, in the order of the tabs.
    std::vector<ChartSpec> specs() const;
    /// The chart of the current tab; on the tiles the one with the focus, otherwise the first.
    ChartSpec currentSpec() const;
    /// The panel of a chart on the tab of its own.
    ChartPanel* panel(const QString& id) const;

Q_SIGNALS:
    void pictureExportRequested(const kvist::ui::ChartSpec& spec, int scale);
    void svgExportRequested(const kvist::ui::ChartSpec& spec);
    void csvExportRequested(const kvist::ui::ChartSpec& spec);

private:
    ChartPanel* makePanel(const ChartSpec& spec);
    void refresh();

    RunFeed& m_feed;
    std::map<QString, QString> m_choices;  ///< by chart
    std::vector<ChartPanel*> m_tiles;
    std::vector<ChartPanel*> m_panels;
};

}  // namespace kvist::ui
