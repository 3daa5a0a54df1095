// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/run_queue.h"

#include <algorithm>
#include <utility>

namespace kvist::experiments {

bool RunQueue::append(RunId id) {
    if (contains(id)) {
        return false;
    }
    m_waiting.append(id);
    return true;
}

std::optional<RunId> RunQueue::takeNext() {
    if (m_current || m_isPaused || m_waiting.isEmpty()) {
        return std::nullopt;
    }
    m_current = m_waiting.takeFirst();
    return m_current;
}

bool RunQueue::remove(RunId id) {
    return m_waiting.removeOne(id);
}

QList<RunId> RunQueue::clear() {
    return std::exchange(m_waiting, {});
}

bool RunQueue::move(RunId id, qsizetype position) {
    const qsizetype from = m_waiting.indexOf(id);
    if (from < 0) {
        return false;
    }
    m_waiting.move(from, std::clamp<qsizetype>(position, 0, m_waiting.size() - 1));
    return true;
}

bool RunQueue::setPaused(bool isPaused) {
    return std::exchange(m_isPaused, isPaused) != isPaused;
}

}  // namespace kvist::experiments
