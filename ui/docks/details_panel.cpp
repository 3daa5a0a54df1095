// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/docks/details_panel.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QScrollBar>
#include <QVBoxLayout>

#include "ui/report/run_text.h"
#include "ui/report/written_text.h"
#include "ui/style/icons.h"
#include "ui/style/metrics.h"
#include "ui/style/theme_colors.h"

namespace kvist::ui {

namespace {

constexpr std::size_t kMostCompared = 6;

}  // namespace

DetailsPanel::DetailsPanel(const RunTableModel& model, const Selection& selection, Reader reader, QWidget* parent)
    : QWidget(parent),
      m_model(model),
      m_selection(selection),
      m_reader(std::move(reader)),
      m_text(new QTextBrowser(this)),
      m_copyCommand(new QPushButton(themedIcon(QStringLiteral("copy")), tr("Copy command"), this)),
      m_copyJson(new QPushButton(themedIcon(QStringLiteral("copy")), tr("Copy JSON"), this)) {
    m_text->setObjectName(QStringLiteral("details"));
    m_text->setAccessibleName(tr("Run details"));
    m_text->setFrameShape(QFrame::NoFrame);
    m_copyCommand->setToolTip(tr("Copy a shell command that measures this run again without the window"));
    m_copyJson->setToolTip(tr("Copy this run as a sweep file"));
    connect(m_copyCommand, &QPushButton::clicked, this, &DetailsPanel::copyCommand);
    connect(m_copyJson, &QPushButton::clicked, this, &DetailsPanel::copyJson);

    const int unit = spacingUnit(this);
    auto* buttons = new QHBoxLayout;
    buttons->setContentsMargins(unit / 2, 0, unit / 2, unit / 2);
    buttons->addWidget(m_copyCommand);
    buttons->addWidget(m_copyJson);
    buttons->addStretch();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(unit / 2);
    layout->addWidget(m_text, 1);
    layout->addLayout(buttons);
    connect(&selection, &Selection::changed, this, &DetailsPanel::refresh);
    refresh();
}

void DetailsPanel::refresh() {
    const RunList runs = selectedRuns();
    const QString muted = currentColors().muted.name();
    QString html;
    if (runs.empty()) {
        html = QStringLiteral("<p style=\"color:%1\">%2</p>")
                   .arg(muted, tr("Select a run in the table to see its settings, figures and how to repeat it; select "
                                  "two or more to see what differs.")
                                   .toHtmlEscaped());
    } else if (runs.size() == 1) {
        html = factsHtml(factsOf(*runs.front(), m_model.runs()), muted) + writtenHtml(writtenBy(*runs.front()), muted);
    } else {
        html = comparisonHtml(runs, m_model.runs(), muted);
        if (static_cast<std::size_t>(m_selection.runs().size()) > runs.size()) {
            html += QStringLiteral("<p style=\"color:%1\">%2</p>")
                        .arg(muted, tr("The first %1 of the selected runs are compared.").arg(runs.size()));
        }
    }
    m_copyCommand->setEnabled(runs.size() == 1);
    m_copyJson->setEnabled(runs.size() == 1);
    if (m_text->property("html").toString() != html) {
        const int position = m_text->verticalScrollBar()->value();
        m_text->setProperty("html", html);
        m_text->setHtml(html);
        m_text->verticalScrollBar()->setValue(position);
    }
}

void DetailsPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        refresh();
    }
}

/// Read once for each run that is shown.
const std::map<std::string, std::string>& DetailsPanel::writtenBy(const experiments::RunRecord& run) {
    const bool isFinished = run.state == experiments::RunState::Finished;
    const std::string writer = isFinished ? std::to_string(run.id) + ' ' + run.startedAt : std::string();
    if (writer != m_writer) {
        m_writer = writer;
        m_written = isFinished ? m_reader(run.id).texts : std::map<std::string, std::string>();
    }
    return m_written;
}

RunList DetailsPanel::selectedRuns() const {
    RunList runs;
    for (const experiments::RunId id : m_selection.runs()) {
        if (const experiments::RunRecord* record = m_model.record(id);
            record != nullptr && runs.size() < kMostCompared) {
            runs.push_back(record);
        }
    }
    return runs;
}

void DetailsPanel::copyCommand() const {
    QGuiApplication::clipboard()->setText(repeatCommand(*selectedRuns().front()));
}

void DetailsPanel::copyJson() const {
    QGuiApplication::clipboard()->setText(sweepJsonOf(*selectedRuns().front()));
}

}  // namespace kvist::ui
