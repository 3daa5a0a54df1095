// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/progress_meter.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace kvist::experiments {
namespace {

/// Share of a run that is done, judged by the phase that takes most of the time.
double shareOf(const RunProgress& progress) {
    const bool isMainPhase = progress.phase == RunPhase::Scoring || progress.phase == RunPhase::Timing;
    return isMainPhase && progress.total > 0
               ? std::clamp(static_cast<double>(progress.done) / static_cast<double>(progress.total), 0.0, 1.0)
               : 0;
}

}  // namespace

void ProgressMeter::addEnded(RunState state, double seconds) {
    ++m_ended;
    m_summary.finished += state == RunState::Finished;
    m_summary.failed += state == RunState::Failed;
    m_summary.cancelled += state == RunState::Cancelled;
    m_summary.interrupted += state == RunState::Interrupted;
    if (seconds > 0) {
        ++m_measured;
        m_secondsMeasured += seconds;
    }
}

double ProgressMeter::secondsOf(const RunTable& runs, RunId id) const {
    const RunRecord* record = runs.find(id);
    const double estimate = record ? runs.estimator().seconds(record->config, record->modelFingerprint)
                                   : std::numeric_limits<double>::quiet_NaN();
    if (!std::isnan(estimate) || m_measured == 0) {
        return estimate;
    }
    return m_secondsMeasured / static_cast<double>(m_measured);
}

SweepProgress ProgressMeter::progress(const RunTable& runs, std::optional<RunId> current,
                                      const QList<RunId>& waiting) const {
    SweepProgress progress{.done = m_ended, .failed = m_summary.failed, .total = m_total};
    const bool isHeard = current && m_current.id == *current;
    const double share = isHeard ? shareOf(m_current) : 0;
    double left = 0;
    for (const RunId id : waiting) {
        left += secondsOf(runs, id);
    }
    if (current) {
        const double estimate = secondsOf(runs, *current);
        const double measured = share > 0 ? m_current.seconds * (1 - share) / share : estimate * (1 - share);
        left += std::isnan(estimate) ? measured : std::max(0.0, share > 0.1 ? measured : estimate * (1 - share));
    }
    progress.secondsLeft = left;
    const double spent = m_secondsMeasured + (isHeard ? m_current.seconds : 0);
    if (std::isnan(left)) {
        progress.fraction = m_total > 0 ? (static_cast<double>(m_ended) + share) / static_cast<double>(m_total) : 0;
    } else {
        progress.fraction = spent + left > 0 ? spent / (spent + left) : 0;
    }
    return progress;
}

}  // namespace kvist::experiments
