// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCheckBox>
#include <QLabel>
#include <QPushButton>
#include <QTimer>
#include <QWidget>

#include "experiments/sweep_controller.h"
#include "ui/settings.h"
#include "ui/widgets/role_label.h"
#include "ui/widgets/sweep_form.h"

class QAction;

namespace kvist::ui {

/// The sweep dock: the form, what it comes to (runs, time, memory, what is stored already) and Start with
/// the reason where it cannot be pressed. Plans on every edit; the last plan is what Start runs.
class SweepPanel : public QWidget {
    Q_OBJECT
public:
    SweepPanel(experiments::SweepController& controller, Settings& settings, const QString& resources,
               QAction* startAction, QWidget* parent = nullptr);

    experiments::Sweep sweep() const { return m_form->sweep(); }
    void setSweep(const experiments::Sweep& sweep);
    SweepForm* form() const { return m_form; }

    /// Why Start cannot be pressed, or empty.
    QString obstacle() const { return m_obstacle; }

public Q_SLOTS:
    void startSweep();

Q_SIGNALS:
    void sweepEdited();
    /// Start was pressed; the plan is on its way.
    void started(const kvist::experiments::SweepPlan& plan);

private:
    void requestPlan();
    void showPlan(const experiments::SweepPlan& plan);
    void showRefusal(quint64 request, const QString& key, const QString& message);
    void setObstacle(const QString& obstacle, TextRole role = TextRole::Muted);
    void refreshStart();
    void refreshChoices();

    experiments::SweepController& m_controller;
    Settings& m_settings;
    QString m_resources;
    QAction* m_startAction;
    SweepForm* m_form;
    QLabel* m_count;
    QLabel* m_details;
    QCheckBox* m_repeatStored;
    QLabel* m_reason;
    QPushButton* m_start;
    QTimer m_planTimer;
    quint64 m_request = 0;
    experiments::SweepPlan m_plan;
    bool m_hasPlan = false;
    QString m_obstacle;
};

}  // namespace kvist::ui
