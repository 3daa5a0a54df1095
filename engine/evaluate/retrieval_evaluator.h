// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluate/evaluator.h"

namespace kvist {

/// Share of hidden facts that greedy answers give back (engine/evaluate/tasks), the policy being at work both while
/// the text is read and while the answer is written. The question is seen before the text is pruned, or only after.
/// Every sample starts from an empty cache.
class RetrievalEvaluator : public Evaluator {
public:
    RunResult evaluate(const LoadedModel& model, PruningPolicy& policy, const RunConfig& config, RunObserver& observer,
                       std::stop_token stop) const override;
};

}  // namespace kvist
