// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/session_options.h"

#include <algorithm>

#include "engine/api/engine_error.h"

namespace kvist {

bool prunesEveryChunk(const SessionOptions& options, const PruningPolicy& policy) {
    const PlanSchedule schedule = policy.schedule();
    return schedule != PlanSchedule::Never &&
           (options.protocol == SessionProtocol::Streamed || schedule == PlanSchedule::EveryChunk);
}

std::int64_t chunkFor(const SessionOptions& options, const PruningPolicy& policy, std::int64_t layers) {
    if (options.chunk < 1) {
        throw EngineError(ErrorKind::InvalidInput,
                          "chunk " + std::to_string(options.chunk) + ": expected at least one token");
    }
    if (policy.schedule() == PlanSchedule::Never) {
        return options.chunk;
    }
    if (policy.needsPrompt() && options.protocol == SessionProtocol::Streamed) {
        throw EngineError(ErrorKind::InvalidInput,
                          "this policy decides when a whole prompt has been read; choose protocol prefill-then-score");
    }
    std::int64_t longest = options.chunk;
    for (std::int64_t layer = 0; layer < layers; ++layer) {
        longest = std::min(longest, policy.layerBudget(options.budget, layer, layers) - policy.sinks() - 1);
    }
    if (longest < 1) {
        throw EngineError(ErrorKind::InvalidInput, "budget " + std::to_string(options.budget) + " is too small for " +
                                                       std::to_string(policy.sinks()) + " sinks: it needs at least " +
                                                       std::to_string(policy.sinks() + 2));
    }
    return prunesEveryChunk(options, policy) ? longest : options.chunk;
}

void checkPositions(const PruningPolicy& policy, const SessionOptions& options, std::int64_t layers) {
    const PolicyNeeds needs = policy.needs();
    if (!needs.compactPositions) {
        return;
    }
    if (needs.perHead || needs.attentionMass || needs.queryWindow > 0 || needs.probeTokens > 0) {
        throw EngineError(ErrorKind::Internal, "a policy asked for compact positions and for more than they allow");
    }
    const std::int64_t first = policy.layerBudget(options.budget, 0, layers);
    for (std::int64_t layer = 1; layer < layers; ++layer) {
        if (policy.layerBudget(options.budget, layer, layers) != first) {
            throw EngineError(ErrorKind::InvalidInput,
                              "compact positions need all layers to hold the same: give them one budget, or choose "
                              "original positions");
        }
    }
}

CacheShape shapeFor(const Decoder& decoder, const SessionOptions& options, const PruningPolicy& policy) {
    const ModelConfig& config = decoder.config();
    const std::int64_t longest = std::max<std::int64_t>(1, options.longest);
    std::int64_t capacity = 1;
    for (std::int64_t layer = 0; layer < config.layers; ++layer) {
        const std::int64_t budget = policy.layerBudget(options.budget, layer, config.layers);
        const auto most = policy.bound(budget) ? policy.bound(budget) : policy.layerBound(budget, config.kvHeads);
        capacity = std::max(capacity, std::min(longest, most.value_or(longest)));
    }
    if (options.protocol == SessionProtocol::PrefillThenDecode) {
        capacity = longest + policy.needs().probeTokens;
    }
    return {config.layers, config.kvHeads, config.headDim, capacity, decoder.type(), decoder.device()};
}

}  // namespace kvist
