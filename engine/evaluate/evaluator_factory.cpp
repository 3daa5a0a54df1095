// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/engine_error.h"
#include "engine/api/evaluation_catalog.h"
#include "engine/evaluate/perplexity_evaluator.h"
#include "engine/evaluate/speed_evaluator.h"

namespace kvist {

std::unique_ptr<Evaluator> makeEvaluator(const std::string& id) {
    if (id == "perplexity") {
        return std::make_unique<PerplexityEvaluator>();
    }
    if (id == "speed") {
        return std::make_unique<SpeedEvaluator>();
    }
    throw EngineError(ErrorKind::InvalidInput, "there is no evaluation " + evaluationInfo(id).id);
}

}  // namespace kvist
