// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/docks/sweep_panel.h"

#include <QAction>
#include <QDir>
#include <QScrollArea>
#include <QVBoxLayout>
#include <chrono>

#include "ui/style/icons.h"
#include "ui/style/metrics.h"
#include "ui/widgets/plan_text.h"

namespace kvist::ui {

using experiments::StoredRuns;
using experiments::SweepController;
using experiments::SweepPlan;

namespace {

constexpr std::chrono::milliseconds kPlanDelay{150};
const auto kDemoModel = QStringLiteral("resources/demo_model");

QStringList bundledTexts(const QString& resources) {
    QStringList texts;
    for (const QString& name : QDir(resources + QStringLiteral("/texts"))
                                   .entryList({QStringLiteral("*.txt"), QStringLiteral("*.raw")}, QDir::Files)) {
        texts << QStringLiteral("resources/texts/") + name;
    }
    return texts;
}

}  // namespace

SweepPanel::SweepPanel(SweepController& controller, Settings& settings, const QString& resources, QAction* startAction,
                       QWidget* parent)
    : QWidget(parent),
      m_controller(controller),
      m_settings(settings),
      m_resources(resources),
      m_startAction(startAction),
      m_form(new SweepForm(this)),
      m_count(new QLabel(this)),
      m_details(makeLabel({}, TextRole::Muted, this)),
      m_repeatStored(new QCheckBox(tr("&Measure stored runs again"), this)),
      m_reason(makeLabel({}, TextRole::Muted, this)),
      m_start(new QPushButton(tr("Start"), this)) {
    const int unit = spacingUnit(this);
    auto* scroll = new QScrollArea(this);
    scroll->setWidget(m_form);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFrameShape(QFrame::NoFrame);

    m_count->setWordWrap(true);
    m_repeatStored->setObjectName(QStringLiteral("repeatStored"));
    m_start->setObjectName(QStringLiteral("start"));
    m_start->setProperty("role", QStringLiteral("primary"));
    m_start->setToolTip(startAction->toolTip());
    m_reason->setObjectName(QStringLiteral("reason"));

    auto* footer = new QWidget(this);
    auto* footerLayout = new QVBoxLayout(footer);
    footerLayout->setContentsMargins(unit, unit, unit, unit);
    footerLayout->setSpacing(unit / 2);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_count, m_details, m_repeatStored, m_reason, m_start}) {
        footerLayout->addWidget(widget);
    }
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(scroll, 1);
    layout->addWidget(footer);
    setMinimumWidth(textWidth(this, 42));

    m_planTimer.setSingleShot(true);
    m_planTimer.setInterval(kPlanDelay);
    connect(&m_planTimer, &QTimer::timeout, this, &SweepPanel::requestPlan);
    connect(m_form, &SweepForm::edited, this, [this] {
        setObstacle(tr("Counting the runs…"));
        m_planTimer.start();
        Q_EMIT sweepEdited();
    });
    connect(m_form->model(), &ModelPicker::folderChosen, this, [this](const QString& path) {
        if (path != kDemoModel) {
            m_settings.addRecentModel(path);
            refreshChoices();
        }
    });
    connect(m_form->text(), &TextPicker::fileChosen, this,
            [this](const QString& path) { m_settings.addRecentText(path); });
    connect(m_repeatStored, &QCheckBox::toggled, this, [this] {
        if (m_hasPlan) {
            showPlan(SweepPlan(m_plan));
        }
    });
    connect(m_start, &QPushButton::clicked, m_startAction, &QAction::trigger);
    connect(&controller, &SweepController::planned, this, &SweepPanel::showPlan);
    connect(&controller, &SweepController::planRefused, this, &SweepPanel::showRefusal);
    connect(&controller, &SweepController::storeOpened, this, &SweepPanel::requestPlan);
    connect(&controller, &SweepController::recordsReplaced, this, &SweepPanel::requestPlan);
    connect(&controller, &SweepController::stateChanged, this, &SweepPanel::refreshStart);
    connect(&controller, &SweepController::sweepFinished, this, &SweepPanel::requestPlan);
    refreshChoices();
    setObstacle(tr("Counting the runs…"));
}

void SweepPanel::setSweep(const experiments::Sweep& sweep) {
    m_form->setSweep(sweep);
    setObstacle(tr("Counting the runs…"));
    requestPlan();
}

void SweepPanel::startSweep() {
    if (!m_obstacle.isEmpty()) {
        return;
    }
    const auto stored = m_repeatStored->isChecked() ? StoredRuns::Repeat : StoredRuns::Skip;
    const SweepPlan plan = m_plan;
    Q_EMIT started(plan);
    m_controller.start(plan, stored);
    setObstacle(tr("Counting the runs…"));
    m_planTimer.start();
}

void SweepPanel::requestPlan() {
    m_planTimer.stop();
    m_request = m_controller.planSweep(m_form->sweep());
}

void SweepPanel::showPlan(const SweepPlan& plan) {
    if (plan.request != m_request) {
        return;
    }
    m_plan = plan;
    m_hasPlan = true;
    const bool repeats = m_repeatStored->isChecked();
    m_form->clearRefusals();
    m_form->showBudgetForms(plan);
    if (!plan.models.empty()) {
        m_form->model()->showFacts(plan.models.begin()->second, plan.machine);
    }
    m_count->setText(planCountText(plan, repeats));
    m_details->setText(planDetailsText(plan, repeats));
    m_repeatStored->setVisible(plan.storedCount() > 0);
    if (!m_controller.isStoreOpen()) {
        setObstacle(tr("There is no results file open: choose one in the File menu."), TextRole::Warning);
    } else if (plan.runs.empty()) {
        setObstacle(tr("Choose a policy and something to measure."), TextRole::Warning);
    } else if (runsToMeasure(plan, repeats) + plan.refusedCount() == 0) {
        setObstacle(tr("All of these runs are stored already; their curves are shown."));
    } else {
        setObstacle({});
    }
}

void SweepPanel::showRefusal(quint64 request, const QString& key, const QString& message) {
    if (request != m_request) {
        return;
    }
    m_hasPlan = false;
    m_form->clearRefusals();
    m_count->clear();
    m_details->clear();
    m_repeatStored->hide();
    const bool isShown = m_form->showRefusal(key, message);
    setObstacle(isShown ? tr("One field needs another value: %1").arg(key) : message, TextRole::Warning);
}

void SweepPanel::setObstacle(const QString& obstacle, TextRole role) {
    m_obstacle = obstacle;
    setTextRole(m_reason, role);
    refreshStart();
}

void SweepPanel::refreshStart() {
    m_reason->setText(m_obstacle);
    m_reason->setVisible(!m_obstacle.isEmpty());
    m_start->setEnabled(m_obstacle.isEmpty());
    m_startAction->setEnabled(m_obstacle.isEmpty());
    m_start->setText(m_controller.isRunning() ? tr("Add to the queue") : tr("Start"));
}

void SweepPanel::refreshChoices() {
    m_form->model()->setChoices(kDemoModel, m_settings.recentModels());
    m_form->text()->setChoices(bundledTexts(m_resources), m_settings.recentTexts());
}

}  // namespace kvist::ui
