// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/scorers/keydiff_scorer.h"

#include <ATen/ops/cosine_similarity.h>

#include "engine/policies/protection.h"
#include "engine/policies/scorers/center_keys.h"

namespace kvist {

PolicyInfo KeyDiffScorer::info() {
    return {.id = "keydiff",
            .title = "KeyDiff",
            .group = "Keys and values alone",
            .summary = "Keeps the entries whose keys differ the most from the mean direction of all keys.",
            .paper = "Park et al. 2025, arXiv 2504.15364, section 3",
            .usesBudget = true,
            .isReconstruction = false,
            .parameters = {centerKeysParameter(), Protection::sinksParameter(0), Protection::recentParameter(0),
                           Protection::intervalParameter(1)}};
}

at::Tensor KeyDiffScorer::scores(const LayerView& view, std::size_t set, const PlanContext&) const {
    const at::Tensor keys = m_centres ? view.centredKeys(set) : view.keys(set);
    const at::Tensor anchor = (keys / keys.norm(2, {-1}, true).clamp_min(1e-12)).mean(1, true);
    return -at::cosine_similarity(keys, anchor, -1);
}

}  // namespace kvist
