// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/engine_error.h"
#include "engine/api/evaluation_catalog.h"
#include "engine/evaluate/drift_evaluator.h"
#include "engine/evaluate/perplexity_evaluator.h"
#include "engine/evaluate/retrieval_evaluator.h"
#include "engine/evaluate/speed_evaluator.h"

namespace kvist {

std::unique_ptr<Evaluator> makeEvaluator(const std::string& id, const std::string& cacheFolder) {
    if (id == "perplexity") {
        return std::make_unique<PerplexityEvaluator>(
            PredictionStore(cacheFolder.empty() ? std::string() : cacheFolder + "/predictions"));
    }
    if (id == "speed") {
        return std::make_unique<SpeedEvaluator>();
    }
    if (id == "retrieval") {
        return std::make_unique<RetrievalEvaluator>();
    }
    if (id == "drift") {
        return std::make_unique<DriftEvaluator>();
    }
    throw EngineError(ErrorKind::Internal, "evaluation " + evaluationInfo(id).id + " has no evaluator");
}

}  // namespace kvist
