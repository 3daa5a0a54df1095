// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/evaluation_catalog.h"

#include "engine/api/engine_error.h"
#include "engine/api/nearest_name.h"

namespace kvist {

const std::vector<EvaluationInfo>& evaluationCatalog() {
    static const std::vector<EvaluationInfo> catalog = {
        {.id = "perplexity",
         .title = "Perplexity",
         .summary = "Perplexity of a text while the cache is pruned: the first tokens warm the cache, the next are "
                    "scored, and both are fed in chunks with a pruning before and after each.",
         .usesContexts = true,
         .usesDepths = false,
         .isTimed = false,
         .parameters = {}},
        {.id = "speed",
         .title = "Decode speed",
         .summary = "Time of single-token decode steps at a given depth, pruning included, over a cache filled with "
                    "seeded random keys and values.",
         .usesContexts = false,
         .usesDepths = true,
         .usesText = false,
         .isTimed = true,
         .parameters = {ParameterSpec::integer("warmups", "Warm-ups", 3, 0, 1000, "steps",
                                               "Steps taken before the timed ones and not counted."),
                        ParameterSpec::integer(
                            "samples", "Samples", 20, 2, 10000, "steps",
                            "Timed steps; median, 90th percentile, mean and deviation are of these.")}},
    };
    return catalog;
}

const EvaluationInfo& evaluationInfo(const std::string& id) {
    std::vector<std::string> ids;
    for (const EvaluationInfo& info : evaluationCatalog()) {
        if (info.id == id) {
            return info;
        }
        ids.push_back(info.id);
    }
    const std::string near = nearestName(id, ids);
    throw EngineError(ErrorKind::InvalidInput,
                      "there is no evaluation " + id + (near.empty() ? "" : "; did you mean " + near + "?"));
}

std::int64_t contextTokens(const RunConfig& config) {
    if (config.depth > 0) {
        return config.depth;
    }
    const std::string& name = evaluationInfo(config.evaluation).contextParameter;
    return config.warm + config.score + (name.empty() ? 0 : integerOf(config.evaluationParameters, name));
}

}  // namespace kvist
