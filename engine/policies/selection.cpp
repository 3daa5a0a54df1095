// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/selection.h"

#include <algorithm>

#include "engine/policies/lowest_scores.h"

namespace kvist {

std::vector<std::vector<std::int32_t>> TopScores::evicted(const LayerView& view, const Candidates& candidates) const {
    std::vector<std::vector<std::int32_t>> gone;
    for (std::size_t set = 0; set < view.sets(); ++set) {
        const std::int64_t surplus = std::max<std::int64_t>(0, view.count(set) - candidates.target);
        gone.push_back(lowestScores(candidates.scores[set], surplus, candidates.first));
    }
    return gone;
}

}  // namespace kvist
