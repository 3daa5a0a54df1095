// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>

#include "experiments/run_progress.h"
#include "experiments/run_table.h"

namespace kvist::experiments {

/// Counts the runs of a queue until it is empty and says how far it is; lives in one thread.
class ProgressMeter {
public:
    void reset() { *this = {}; }
    void addQueued(std::size_t count) { m_total += count; }

    /// The newest word from the run at work.
    void setCurrent(const RunProgress& progress) { m_current = progress; }

    /// A run of the queue came to an end; `seconds` is how long it ran, 0 where it never started.
    void addEnded(RunState state, double seconds);

    const SweepSummary& summary() const { return m_summary; }

    SweepProgress progress(const RunTable& runs, std::optional<RunId> current, const QList<RunId>& waiting) const;

private:
    double secondsOf(const RunTable& runs, RunId id) const;

    SweepSummary m_summary;
    RunProgress m_current;
    std::size_t m_total = 0;
    std::size_t m_ended = 0;
    std::size_t m_measured = 0;
    double m_secondsMeasured = 0;
};

}  // namespace kvist::experiments
