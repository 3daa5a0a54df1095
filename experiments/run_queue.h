// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <optional>

#include "experiments/run_state.h"

namespace kvist::experiments {

/// The order in which runs are measured, one at a time. Knows numbers only; lives in one thread.
class RunQueue {
public:
    const QList<RunId>& waiting() const { return m_waiting; }
    std::optional<RunId> current() const { return m_current; }
    bool isPaused() const { return m_isPaused; }
    /// Nothing runs and nothing waits.
    bool isIdle() const { return !m_current && m_waiting.isEmpty(); }
    bool contains(RunId id) const { return m_current == id || m_waiting.contains(id); }

    /// At the end; false where it is in the queue already.
    bool append(RunId id);

    /// Makes the next one current. Empty while another runs, while paused, and where none waits.
    std::optional<RunId> takeNext();
    void finishCurrent() { m_current.reset(); }

    /// Takes a waiting run out; false where it does not wait.
    bool remove(RunId id);
    /// Takes all waiting runs out.
    QList<RunId> clear();

    /// To a place among the waiting ones, counted from 0; beyond the ends is the end. False where it does not wait.
    bool move(RunId id, qsizetype position);

    /// True where that changes something. A run at work goes on.
    bool setPaused(bool isPaused);

private:
    QList<RunId> m_waiting;
    std::optional<RunId> m_current;
    bool m_isPaused = false;
};

}  // namespace kvist::experiments
