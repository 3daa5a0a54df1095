// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QString>
#include <vector>

#include "experiments/sweep.h"

namespace kvist::ui {

/// What the form showed before, for undo and redo. Edits that follow each other quickly are one step.
class SweepHistory {
public:
    struct State {
        experiments::Sweep sweep;
        QString path;  ///< its file; empty where it has none
        bool isModified = false;
    };

    const State& current() const { return m_current; }
    bool canUndo() const { return !m_past.empty(); }
    bool canRedo() const { return !m_future.empty(); }

    /// The user has changed something.
    void addEdit(const experiments::Sweep& sweep);
    /// Another sweep is shown.
    void addOther(const State& state);
    /// The current one was written to a file; no step.
    void setSaved(const experiments::Sweep& sweep, const QString& path);

    /// The state that is current then; only where there is one.
    const State& undo();
    const State& redo();

private:
    void push(State state);

    std::vector<State> m_past;
    std::vector<State> m_future;
    State m_current;
    bool m_hasCurrent = false;
    QElapsedTimer m_sinceEdit;
};

}  // namespace kvist::ui
