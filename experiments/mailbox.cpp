// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/mailbox.h"

#include <utility>

namespace kvist::experiments {

void merge(RunProgress& waiting, RunProgress&& newer) {
    auto points = std::move(waiting.points);
    for (const auto& [name, curve] : newer.points) {
        Curve& whole = points[name];
        whole.x.insert(whole.x.end(), curve.x.begin(), curve.x.end());
        whole.y.insert(whole.y.end(), curve.y.begin(), curve.y.end());
    }
    waiting = std::move(newer);
    waiting.points = std::move(points);
}

void Mailbox::post(Message message) {
    bool isNews = false;
    {
        const std::lock_guard lock(m_mutex);
        auto* newer = std::get_if<RunProgress>(&message);
        auto* waiting = newer && !m_messages.empty() ? std::get_if<RunProgress>(&m_messages.back()) : nullptr;
        if (waiting && waiting->id == newer->id) {
            merge(*waiting, std::move(*newer));
        } else {
            isNews = m_messages.empty() || !newer;
            m_isUrgent = m_isUrgent || !newer;
            m_messages.push_back(std::move(message));
        }
    }
    if (isNews) {
        Q_EMIT filled();
    }
}

std::vector<Message> Mailbox::take() {
    const std::lock_guard lock(m_mutex);
    m_isUrgent = false;
    return std::exchange(m_messages, {});
}

bool Mailbox::isUrgent() const {
    const std::lock_guard lock(m_mutex);
    return m_isUrgent;
}

bool Mailbox::isEmpty() const {
    const std::lock_guard lock(m_mutex);
    return m_messages.empty();
}

}  // namespace kvist::experiments
