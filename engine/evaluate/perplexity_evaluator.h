// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluate/baseline_predictions.h"
#include "engine/evaluate/evaluator.h"

namespace kvist {

/// Perplexity of a text: of warm + score + 1 tokens the first warm + score are fed in chunks; the predictions of
/// tokens warm + 1 … warm + score are scored. By the article's protocol the policy prunes from the first token on; by
/// "prefill-then-score" the first `warm` tokens are held whole, then compressed once. All tokens are known, so whole
/// segments go through the session, which runs them layer by layer where the policy allows. Where asked for, the
/// predictions are compared with the full cache's.
class PerplexityEvaluator : public Evaluator {
public:
    /// `predictions`: where the full cache's predictions are kept.
    explicit PerplexityEvaluator(PredictionStore predictions = PredictionStore({}))
        : m_baselines(std::move(predictions)) {}

    RunResult evaluate(const LoadedModel& model, PruningPolicy& policy, const RunConfig& config, RunObserver& observer,
                       std::stop_token stop) const override;

private:
    BaselinePredictions m_baselines;
};

}  // namespace kvist
