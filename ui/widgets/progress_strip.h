// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QProgressBar>
#include <QTimer>
#include <QWidget>

#include "experiments/sweep_controller.h"

namespace kvist::ui {

/// The status bar's content: what runs, how far it is, the time left, memory of the process, and the results
/// file. Repaints at most four times a second, twice while steps are being timed.
class ProgressStrip : public QWidget {
    Q_OBJECT
public:
    explicit ProgressStrip(experiments::SweepController& controller, QWidget* parent = nullptr);

private:
    void refresh();
    QString activity() const;

    experiments::SweepController& m_controller;
    QLabel* m_activity;
    QProgressBar* m_bar;
    QLabel* m_timeLeft;
    QLabel* m_memory;
    QLabel* m_device;
    QLabel* m_store;
    QTimer m_timer;
    experiments::RunProgress m_progress;
};

/// Resident memory of this process in bytes; 0 where the system does not tell.
qint64 residentBytes();

}  // namespace kvist::ui
