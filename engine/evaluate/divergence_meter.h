// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/run_observer.h"
#include "engine/api/run_result.h"
#include "engine/evaluate/curve_blocks.h"
#include "engine/evaluate/prediction_log.h"

namespace kvist {

/// How a run's predictions differ from the full cache's: over all scored tokens, and over blocks of them as curves
/// "kl" (mean), "delta_p_rms" and "same_top" (share).
class DivergenceMeter {
public:
    /// `first`: position that the curves start at.
    DivergenceMeter(PredictionLog baseline, std::int64_t first, RunObserver& observer)
        : m_baseline(std::move(baseline)), m_first(first), m_observer(observer) {}

    /// The predictions that follow those added so far.
    void add(const LogitBlock& block);

    /// Adds points for blocks that are complete, and for an incomplete one where it is the last.
    void report(bool isLast, RunResult& result);

    /// kl_mean, kl_median, kl_p99 (nats), delta_p_rms and same_top.
    void addMetrics(RunResult& result) const;

private:
    PredictionLog m_baseline;
    std::int64_t m_first;
    RunObserver& m_observer;
    PredictionDifferences m_differences;
    CurveBlocks m_blocks;
};

}  // namespace kvist
