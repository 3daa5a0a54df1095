// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluate/evaluator.h"

namespace kvist {

/// Time of single-token decode steps at a depth: the cache is filled with seeded random entries as the policy
/// would hold them, then steps are timed one by one, with pruning, scoring, logits and the choice of the next
/// token inside; on a GPU those of full caches are a BoundedDecoder's, where the notes say so. Then a prompt of a
/// stated length is fed to an empty cache, and its time until the first token is known is taken. Reports median,
/// mean ± sample deviation, 90th percentile and every sample, beside the memory's read bandwidth measured in the
/// same process.
class SpeedEvaluator : public Evaluator {
public:
    RunResult evaluate(const LoadedModel& model, PruningPolicy& policy, const RunConfig& config, RunObserver& observer,
                       std::stop_token stop) const override;
};

}  // namespace kvist
