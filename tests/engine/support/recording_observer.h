// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/api/run_observer.h"
#include "engine/api/run_result.h"

namespace kvist::testing {

/// Remembers what it heard.
class RecordingObserver : public RunObserver {
public:
    void onPhase(RunPhase phase) override { phases.push_back(phase); }
    void onProgress(std::int64_t done, std::int64_t total) override { progress.emplace_back(done, total); }
    void onMetric(std::string_view name, double position, double value) override {
        Curve& curve = curves[std::string(name)];
        curve.x.push_back(position);
        curve.y.push_back(value);
    }

    std::vector<RunPhase> phases;
    std::vector<std::pair<std::int64_t, std::int64_t>> progress;
    std::map<std::string, Curve> curves;
};

}  // namespace kvist::testing
