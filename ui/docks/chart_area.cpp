// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/docks/chart_area.h"

#include <QGridLayout>

#include "ui/style/icons.h"

namespace kvist::ui {

namespace {

constexpr std::size_t kTiles = 4;

}  // namespace

ChartArea::ChartArea(RunFeed& feed, QWidget* parent) : QTabWidget(parent), m_feed(feed) {
    setDocumentMode(true);
    auto* tiles = new QWidget(this);
    auto* grid = new QGridLayout(tiles);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(1);
    addTab(tiles, themedIcon(QStringLiteral("tiles")), tr("Overview"));
    for (const ChartSpec& spec : standardCharts({})) {
        const auto index = m_panels.size();
        if (index < kTiles) {
            m_tiles.push_back(makePanel(spec));
            grid->addWidget(m_tiles.back(), static_cast<int>(index / 2), static_cast<int>(index % 2));
        }
        m_panels.push_back(makePanel(spec));
        addTab(m_panels.back(), spec.tab);
        setTabToolTip(count() - 1, spec.title);
    }
    connect(&feed, &RunFeed::updated, this, &ChartArea::refresh);
    connect(this, &QTabWidget::currentChanged, this, &ChartArea::refresh);
}

std::vector<ChartSpec> ChartArea::specs() const {
    ChartInput input = m_feed.chartInput();
    input.choices = m_choices;
    return standardCharts(input);
}

ChartSpec ChartArea::currentSpec() const {
    if (currentIndex() > 0) {
        return m_panels[static_cast<std::size_t>(currentIndex() - 1)]->spec();
    }
    for (const ChartPanel* tile : m_tiles) {
        if (tile->view()->hasFocus()) {
            return tile->spec();
        }
    }
    return m_tiles.front()->spec();
}

ChartPanel* ChartArea::panel(const QString& id) const {
    for (ChartPanel* panel : m_panels) {
        if (panel->spec().id == id) {
            return panel;
        }
    }
    return nullptr;
}

ChartPanel* ChartArea::makePanel(const ChartSpec& spec) {
    auto* panel = new ChartPanel(this);
    panel->setSpec(spec);
    connect(panel, &ChartPanel::pictureExportRequested, this, &ChartArea::pictureExportRequested);
    connect(panel, &ChartPanel::svgExportRequested, this, &ChartArea::svgExportRequested);
    connect(panel, &ChartPanel::csvExportRequested, this, &ChartArea::csvExportRequested);
    connect(panel, &ChartPanel::choiceMade, this, [this](const QString& chart, const QString& choice) {
        m_choices[chart] = choice;
        refresh();
    });
    return panel;
}

void ChartArea::refresh() {
    const std::vector<ChartSpec> current = specs();
    for (std::size_t index = 0; index < current.size(); ++index) {
        if (currentIndex() == 0 && index < m_tiles.size()) {
            m_tiles[index]->setSpec(current[index]);
        } else if (currentIndex() == static_cast<int>(index) + 1) {
            m_panels[index]->setSpec(current[index]);
        }
    }
}

}  // namespace kvist::ui
