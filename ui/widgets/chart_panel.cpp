// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/chart_panel.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QVBoxLayout>

#include "ui/charts/axis_ticks.h"
#include "ui/style/icons.h"
#include "ui/style/metrics.h"
#include "ui/widgets/role_label.h"

namespace kvist::ui {

namespace {

/// What a screen reader says of a chart.
QString description(const ChartSpec& spec) {
    if (spec.isEmpty()) {
        return spec.emptyText;
    }
    QStringList lines;
    for (const ChartSeries& series : spec.series) {
        if (!series.points.empty()) {
            const ChartPoint& last = series.points.back();
            if (series.kind == SeriesKind::Cells) {
                double sum = 0;
                for (const ChartPoint& point : series.points) {
                    sum += point.value;
                }
                lines << ChartPanel::tr("%1: %n cells, on average %2 %", nullptr,
                                        static_cast<int>(series.points.size()))
                             .arg(series.name)
                             .arg(100 * sum / static_cast<double>(series.points.size()), 0, 'f', 0);
                continue;
            }
            lines << ChartPanel::tr("%1: %n points, last %2 at %3", nullptr, static_cast<int>(series.points.size()))
                         .arg(series.name, formatValue(spec.y, last.y), formatValue(spec.x, last.x));
        }
    }
    return lines.join(QLatin1Char('\n'));
}

}  // namespace

ChartPanel::ChartPanel(QWidget* parent)
    : QWidget(parent),
      m_title(makeLabel({}, TextRole::Heading, this)),
      m_choice(new QComboBox(this)),
      m_follow(new QToolButton(this)),
      m_view(new ChartView(this)) {
    m_choice->setObjectName(QStringLiteral("choice"));
    m_choice->setToolTip(tr("What the chart shows"));
    m_choice->setAccessibleName(m_choice->toolTip());
    m_choice->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_choice->hide();
    connect(m_choice, &QComboBox::activated, this, [this] {
        m_view->plot()->follow();
        Q_EMIT choiceMade(spec().id, m_choice->currentData().toString());
    });
    m_follow->setIcon(themedIcon(QStringLiteral("follow")));
    m_follow->setText(tr("Follow"));
    m_follow->setToolTip(tr("Show all of the data and follow it (double click, Home)"));
    m_follow->setAccessibleName(m_follow->toolTip());
    m_follow->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_follow->setAutoRaise(true);
    m_follow->hide();
    connect(m_follow, &QToolButton::clicked, this, [this] { m_view->plot()->follow(); });
    connect(m_view->plot(), &Plot::followingChanged, this,
            [this](bool isFollowing) { m_follow->setVisible(!isFollowing); });

    auto* exporting = new QToolButton(this);
    exporting->setIcon(themedIcon(QStringLiteral("export")));
    exporting->setToolTip(tr("Export this chart"));
    exporting->setAccessibleName(exporting->toolTip());
    exporting->setAutoRaise(true);
    exporting->setIconSize(QSize(spacingUnit(this) * 2, spacingUnit(this) * 2));
    exporting->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(exporting);
    for (const int scale : {1, 2, 4}) {
        menu->addAction(themedIcon(QStringLiteral("chart")), tr("PNG, %1×…").arg(scale), this,
                        [this, scale] { Q_EMIT pictureExportRequested(spec(), scale); });
    }
    menu->addAction(themedIcon(QStringLiteral("chart")), tr("SVG…"), this,
                    [this] { Q_EMIT svgExportRequested(spec()); });
    menu->addAction(themedIcon(QStringLiteral("table")), tr("CSV…"), this,
                    [this] { Q_EMIT csvExportRequested(spec()); });
    exporting->setMenu(menu);

    const int unit = spacingUnit(this);
    auto* header = new QHBoxLayout;
    header->addWidget(m_title);
    header->addStretch();
    header->addWidget(m_choice);
    header->addWidget(m_follow);
    header->addWidget(exporting);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(unit, unit / 2, unit, unit / 2);
    layout->setSpacing(unit / 2);
    layout->addLayout(header);
    layout->addWidget(m_view, 1);
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
}

void ChartPanel::setSpec(const ChartSpec& spec) {
    if (spec == m_view->plot()->spec()) {
        return;
    }
    m_title->setText(spec.title);
    showChoices(spec);
    m_view->setSpec(spec);
    m_view->setObjectName(spec.id);
    m_view->setAccessibleName(spec.title);
    m_view->setAccessibleDescription(description(spec));
}

void ChartPanel::showChoices(const ChartSpec& spec) {
    if (spec.choices != this->spec().choices) {
        m_choice->clear();
        for (const ChartChoice& choice : spec.choices) {
            m_choice->addItem(choice.title, choice.id);
        }
    }
    m_choice->setCurrentIndex(m_choice->findData(spec.chosen));
    m_choice->setVisible(spec.choices.size() > 1);
}

}  // namespace kvist::ui
