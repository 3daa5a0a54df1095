// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/session_memory.h"

#include <algorithm>
#include <numeric>

namespace kvist {

std::vector<std::int64_t> mostEntries(const PruningPolicy& policy, const SessionOptions& options, std::int64_t layers,
                                      std::int64_t kvHeads) {
    std::vector<std::int64_t> entries(static_cast<std::size_t>(layers), options.longest);
    if (options.protocol == SessionProtocol::PrefillThenDecode || policy.schedule() == PlanSchedule::Never) {
        return entries;
    }
    std::int64_t sum = 0;  // of the layers' targets
    for (std::int64_t layer = 0; layer < layers; ++layer) {
        std::int64_t& most = entries[static_cast<std::size_t>(layer)];
        const std::int64_t target = std::min(most, policy.layerBudget(options.budget, layer, layers));
        sum += target;
        if (const auto bound = policy.layerBound(target, kvHeads)) {
            most = std::min(most, *bound / kvHeads);
        }
    }
    if (policy.dependence() == PlanDependence::Model) {
        if (const auto bound = policy.totalBound(sum * kvHeads)) {
            const std::int64_t mean = (*bound / kvHeads + layers - 1) / layers;
            std::fill(entries.begin(), entries.end(), std::min(options.longest, mean));
        }
    }
    return entries;
}

MemoryPlan planSession(const ModelInfo& model, const Compute& compute, const PruningPolicy& policy,
                       const SessionOptions& options, std::int64_t together) {
    const std::vector<std::int64_t> entries = mostEntries(policy, options, model.layers, model.kvHeads);
    MemoryPlan plan =
        planMemory(model, compute, std::accumulate(entries.begin(), entries.end(), std::int64_t{0}), together);
    if (policy.store() != nullptr && options.protocol == SessionProtocol::Streamed) {
        const CacheShape shape{model.layers, model.kvHeads, model.headDim, options.longest, compute.type, at::kCPU};
        plan.cache = policy.store()->bytes(shape, entries);
        // The keys and values of one head are there decoded, in float32.
        const std::int64_t most = *std::max_element(entries.begin(), entries.end());
        plan.buffers += 2 * most * model.headDim * static_cast<std::int64_t>(sizeof(float));
    }
    return plan;
}

}  // namespace kvist
