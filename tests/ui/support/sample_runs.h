// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "experiments/run_record.h"

namespace kvist::test {

inline experiments::RunRecord finishedRun(experiments::RunId id, const std::string& policy, std::int64_t budget) {
    experiments::RunRecord run;
    run.id = id;
    run.state = experiments::RunState::Finished;
    run.key = "key-" + std::to_string(id);
    run.baselineKey = policy == "full" ? run.key : "key-1";
    run.sweep = "Sample";
    run.config.model.path = "/models/fake";
    run.config.text.file = "/texts/book.txt";
    run.config.policy = policy;
    run.config.budget = budget;
    run.modelName = "fake";
    run.modelFingerprint = "fake-1";
    run.textHash = "abc";
    run.startedAt = "2025-02-03T04:05:06Z";
    run.device = "cpu";
    run.dtype = "float32";
    run.threads = 2;
    run.machine = "Fake CPU, 2 cores";
    return run;
}

inline experiments::RunRecord perplexityRun(experiments::RunId id, const std::string& policy, std::int64_t budget,
                                            double perplexity) {
    experiments::RunRecord run = finishedRun(id, policy, budget);
    run.config.evaluation = "perplexity";
    run.config.warm = 1024;
    run.config.score = 512;
    run.metrics = {{"perplexity", perplexity},
                   {"perplexity_stderr", 0.25},
                   {"kv_payload_bytes", (budget > 0 ? static_cast<double>(budget) : 1536.0) * 2048},
                   {"kv_payload_peak_bytes", (budget > 0 ? static_cast<double>(budget) : 1536.0) * 2048}};
    return run;
}

inline experiments::RunRecord speedRun(experiments::RunId id, const std::string& policy, std::int64_t budget,
                                       std::int64_t depth, double speed) {
    experiments::RunRecord run = finishedRun(id, policy, budget);
    run.config.evaluation = "speed";
    run.config.depth = depth;
    run.metrics = {
        {"decode_tok_s_median", speed},
        {"decode_tok_s_sd", 1.5},
        {"roofline_tok_s", speed * 1.25},
        {"kv_payload_bytes", (budget > 0 ? static_cast<double>(budget) : static_cast<double>(depth)) * 2048}};
    return run;
}

/// The full cache, two policies at three budgets, and speeds at two depths.
inline std::vector<experiments::RunRecord> sampleRuns() {
    std::vector<experiments::RunRecord> runs{perplexityRun(1, "full", 0, 20)};
    experiments::RunId id = 2;
    for (const std::int64_t budget : {64, 128, 256}) {
        runs.push_back(perplexityRun(id++, "window", budget, 20 + 640.0 / static_cast<double>(budget)));
        runs.push_back(perplexityRun(id++, "attention-score", budget, 20 + 320.0 / static_cast<double>(budget)));
    }
    for (const std::int64_t depth : {512, 2048}) {
        runs.push_back(speedRun(id++, "full", 0, depth, 50000.0 / static_cast<double>(depth)));
        runs.push_back(speedRun(id++, "window", 64, depth, 100));
    }
    return runs;
}

}  // namespace kvist::test
