// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>

#include "experiments/run_state.h"

namespace kvist::ui {

/// The selected runs: one object, so that table, charts and details speak of the same ones.
class Selection : public QObject {
    Q_OBJECT
public:
    explicit Selection(QObject* parent = nullptr) : QObject(parent) {}

    const QList<experiments::RunId>& runs() const { return m_runs; }
    void setRuns(const QList<experiments::RunId>& runs) {
        if (runs != m_runs) {
            m_runs = runs;
            Q_EMIT changed();
        }
    }

Q_SIGNALS:
    void changed();

private:
    QList<experiments::RunId> m_runs;
};

}  // namespace kvist::ui
