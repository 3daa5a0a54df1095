// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QSet>
#include <QTimer>
#include <map>

#include "experiments/sweep_controller.h"
#include "ui/charts/standard_charts.h"
#include "ui/models/run_table_model.h"
#include "ui/selection.h"

namespace kvist::ui {

/// Brings what the controller reports into the table and the charts, gathered on one timer: ten times a
/// second, twice a second while steps are being timed. Keeps the live curves and reads stored ones a few at
/// a time, so that nothing blocks.
class RunFeed : public QObject {
    Q_OBJECT
public:
    RunFeed(experiments::SweepController& controller, RunTableModel& table, Selection& selection,
            QObject* parent = nullptr);

    /// What the charts draw: all runs of the store; as curves over the position those of the selected runs,
    /// otherwise of the last sweep, otherwise of the newest runs.
    ChartInput chartInput() const;

    bool isTiming() const { return m_isTiming; }

Q_SIGNALS:
    void updated();  ///< records or curves changed; the table is up to date

private:
    void reset();
    void addProgress(const experiments::RunProgress& progress);
    void markChanged(experiments::RunId id);
    void setTiming(bool isTiming);
    void deliver();
    std::vector<experiments::RunId> wantedCurves() const;
    bool readCurves();

    experiments::SweepController& m_controller;
    RunTableModel& m_table;
    Selection& m_selection;
    QTimer m_timer;
    QSet<experiments::RunId> m_changed;
    std::map<experiments::RunId, std::map<std::string, Curve>> m_curves;
    QSet<experiments::RunId> m_stored;  ///< curves that were read from the store
    bool m_isTiming = false;
};

}  // namespace kvist::ui
