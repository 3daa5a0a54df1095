// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/pruning_policy.h"

namespace kvist {

std::vector<EvictionPlan> PruningPolicy::planAll(const CacheView& view, const PlanContext& context) {
    std::vector<EvictionPlan> plans(static_cast<std::size_t>(view.layers()));
    for (std::int64_t layer = 0; layer < view.layers(); ++layer) {
        if (view.exceedsTarget(layer)) {
            PlanContext own = context;
            own.layer = layer;
            own.target = view.target(layer);
            plans[static_cast<std::size_t>(layer)] = plan(view.layer(layer), own);
        }
    }
    return plans;
}

}  // namespace kvist
