// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <algorithm>
#include <vector>

namespace kvist::test {

/// Measures how long the event loop was away, every time.
class GapMeter : public QObject {
public:
    GapMeter() {
        m_timer.setInterval(5);
        m_timer.setTimerType(Qt::PreciseTimer);
        connect(&m_timer, &QTimer::timeout, this, [this] { m_gaps.push_back(m_clock.restart()); });
        m_clock.start();
        m_timer.start();
    }

    /// Milliseconds that a share of the gaps do not exceed.
    qint64 percentile(double share) {
        std::sort(m_gaps.begin(), m_gaps.end());
        return m_gaps[static_cast<std::size_t>(share * static_cast<double>(m_gaps.size() - 1))];
    }

private:
    QTimer m_timer;
    QElapsedTimer m_clock;
    std::vector<qint64> m_gaps;
};

}  // namespace kvist::test
