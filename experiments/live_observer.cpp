// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/live_observer.h"

namespace kvist::experiments {

LiveObserver::LiveObserver(RunId id, Mailbox& mailbox, StoreWorker& store)
    : m_id(id), m_mailbox(mailbox), m_store(store) {}

void LiveObserver::onPhase(RunPhase phase) {
    m_phase = phase;
    m_done = 0;
    m_total = 0;
    if (isTimed(phase) && !m_quiet.owns_lock()) {
        m_quiet = m_store.quiet();
    } else if (!isTimed(phase) && m_quiet.owns_lock()) {
        m_quiet.unlock();
    }
    post();
}

void LiveObserver::onProgress(std::int64_t done, std::int64_t total) {
    m_done = done;
    m_total = total;
    post();
}

void LiveObserver::onMetric(std::string_view name, double position, double value) {
    post({{std::string(name), Curve{{position}, {value}}}});
}

void LiveObserver::post(std::map<std::string, Curve> points) {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - m_start;
    m_mailbox.post(RunProgress{.id = m_id,
                               .phase = m_phase,
                               .done = m_done,
                               .total = m_total,
                               .seconds = elapsed.count(),
                               .points = std::move(points)});
}

}  // namespace kvist::experiments
