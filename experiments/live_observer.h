// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <mutex>

#include "engine/api/run_observer.h"
#include "experiments/mailbox.h"
#include "experiments/store_worker.h"

namespace kvist::experiments {

/// Passes a run's progress to the mailbox and keeps the store quiet while steps are timed.
class LiveObserver : public RunObserver {
public:
    LiveObserver(RunId id, Mailbox& mailbox, StoreWorker& store);

    void onPhase(RunPhase phase) override;
    void onProgress(std::int64_t done, std::int64_t total) override;
    void onMetric(std::string_view name, double position, double value) override;

private:
    void post(std::map<std::string, Curve> points = {});

    const RunId m_id;
    Mailbox& m_mailbox;
    StoreWorker& m_store;
    const std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
    RunPhase m_phase = RunPhase::Loading;
    std::int64_t m_done = 0;
    std::int64_t m_total = 0;
    std::unique_lock<std::mutex> m_quiet;
};

}  // namespace kvist::experiments
