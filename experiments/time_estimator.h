// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/api/model_info.h"
#include "engine/api/run_config.h"
#include "experiments/run_record.h"

namespace kvist::experiments {

/// Predicts how long a run takes from runs of the same model, type, device, threads, evaluation and chunk: the
/// median time per unit of work of those with the same policy, otherwise of all of them. Work is tokens for a
/// text, and bytes read (weights and cache, each step) for decode speed.
class TimeEstimator {
public:
    /// Learns from a finished run; anything else is ignored.
    void add(const RunRecord& record);

    /// Seconds; NaN while no similar run is known.
    double seconds(const RunConfig& config, const std::string& modelFingerprint) const;

private:
    std::map<std::string, std::vector<double>> m_secondsPerWork;
};

}  // namespace kvist::experiments
