// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep_history.h"

#include <utility>

namespace kvist::ui {

namespace {

constexpr qint64 kOneStepMs = 1000;
constexpr std::size_t kMostSteps = 100;

}  // namespace

void SweepHistory::addEdit(const experiments::Sweep& sweep) {
    State next{sweep, m_current.path, true};
    const bool goesOn = m_sinceEdit.isValid() && m_sinceEdit.elapsed() < kOneStepMs;
    m_sinceEdit.start();
    if (goesOn) {
        m_current = std::move(next);
    } else {
        push(std::move(next));
    }
}

void SweepHistory::addOther(const State& state) {
    m_sinceEdit.invalidate();
    push(state);
}

void SweepHistory::setSaved(const experiments::Sweep& sweep, const QString& path) {
    m_sinceEdit.invalidate();
    m_current = {sweep, path, false};
}

const SweepHistory::State& SweepHistory::undo() {
    m_sinceEdit.invalidate();
    m_future.push_back(std::exchange(m_current, m_past.back()));
    m_past.pop_back();
    return m_current;
}

const SweepHistory::State& SweepHistory::redo() {
    m_sinceEdit.invalidate();
    m_past.push_back(std::exchange(m_current, m_future.back()));
    m_future.pop_back();
    return m_current;
}

void SweepHistory::push(State state) {
    if (std::exchange(m_hasCurrent, true)) {
        m_past.push_back(std::move(m_current));
    }
    if (m_past.size() > kMostSteps) {
        m_past.erase(m_past.begin());
    }
    m_future.clear();
    m_current = std::move(state);
}

}  // namespace kvist::ui
