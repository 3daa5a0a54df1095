// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/scorers/random_scorer.h"

#include <ATen/ops/empty.h>

#include "engine/policies/keyed_random.h"
#include "engine/policies/protection.h"

namespace kvist {
PolicyInfo RandomScorer::info() {
    return {.id = "random",
            .title = "Random",
            .group = "Positions",
            .summary = "Keeps the first entries (sinks), the most recent ones, and a random sample of the rest.",
            .paper = {},
            .usesBudget = true,
            .isReconstruction = false,
            .parameters = {Protection::sinksParameter(4), Protection::recentParameter(32),
                           Protection::intervalParameter(1)}};
}

at::Tensor RandomScorer::scores(const LayerView& view, std::size_t set, const PlanContext& context) const {
    at::Tensor result = at::empty({1, view.count(set)}, at::kFloat);
    auto* next = result.data_ptr<float>();
    for (std::int64_t entry = 0; entry < view.count(set); ++entry) {
        *next++ = keyedRandom({m_seed, static_cast<std::uint64_t>(context.layer), set,
                               static_cast<std::uint64_t>(view.position(set, entry))});
    }
    return result;
}

}  // namespace kvist
