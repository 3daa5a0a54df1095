// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluate/evaluator.h"

namespace kvist {

/// How far greedy text under the policy strays from what the full cache writes: both go on from the first `warm`
/// tokens of the text. A single token that differs changes all that follows, so the share of equal places says less
/// than where the first difference stands; both texts are kept.
class DriftEvaluator : public Evaluator {
public:
    RunResult evaluate(const LoadedModel& model, PruningPolicy& policy, const RunConfig& config, RunObserver& observer,
                       std::stop_token stop) const override;
};

}  // namespace kvist
