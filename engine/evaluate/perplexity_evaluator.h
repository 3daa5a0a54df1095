// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluate/evaluator.h"

namespace kvist {

/// Perplexity of a text by the article's protocol: of warm + score + 1 tokens the first warm + score are fed in
/// chunks under the policy; the predictions of tokens warm + 1 … warm + score are scored. All tokens are known,
/// so whole segments go through the session, which runs them layer by layer where the policy allows.
class PerplexityEvaluator : public Evaluator {
public:
    RunResult evaluate(const LoadedModel& model, PruningPolicy& policy, const RunConfig& config, RunObserver& observer,
                       std::stop_token stop) const override;
};

}  // namespace kvist
