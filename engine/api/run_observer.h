// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

namespace kvist {

enum class RunPhase { Loading, Calibrating, Tokenizing, Baseline, Filling, Scoring, WarmingUp, Timing };

/// Hears of a run's progress on the thread that runs it. Must return at once and must not throw.
class RunObserver {
public:
    virtual ~RunObserver() = default;

    virtual void onPhase(RunPhase phase) = 0;
    /// `total` is in units of the phase (bytes, tokens, steps) and may be 0 while unknown.
    virtual void onProgress(std::int64_t done, std::int64_t total) = 0;
    /// A point of a live curve over the position, named as in RunResult::curves.
    virtual void onMetric(std::string_view name, double position, double value) = 0;
    /// Something that the user should know of how a text was generated; a run has RunResult::notes for it.
    virtual void onNote([[maybe_unused]] std::string_view note) {}
};

/// For callers who do not listen.
class SilentObserver : public RunObserver {
public:
    void onPhase(RunPhase) override {}
    void onProgress(std::int64_t, std::int64_t) override {}
    void onMetric(std::string_view, double, double) override {}
};

}  // namespace kvist
