// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDBusUnixFileDescriptor>
#include <QObject>

#include "experiments/sweep_controller.h"

namespace kvist::ui {

/// Keeps the machine from going to sleep while runs are measured or queued, by asking systemd-logind. Where there is
/// none, or it refuses, nothing happens; no call waits for an answer.
class SleepBlocker : public QObject {
    Q_OBJECT
public:
    explicit SleepBlocker(experiments::SweepController& controller, QObject* parent = nullptr);

private:
    void refresh();

    experiments::SweepController& m_controller;
    bool m_isWanted = false;
    QDBusUnixFileDescriptor m_lock;  ///< held while it is open
};

}  // namespace kvist::ui
