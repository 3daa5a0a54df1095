// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/wrappers/chunkkv.h"

#include <algorithm>
#include <numeric>

#include "engine/policies/lowest_scores.h"
#include "engine/policies/wrappers/base_parameter.h"

namespace kvist {
namespace {

/// Entries [first, end) of one stretch of the text.
struct Stretch {
    std::int32_t first = 0;
    std::int32_t end = 0;
};

std::vector<Stretch> stretchesOf(const LayerView& view, std::size_t set, std::int32_t first, std::int32_t end,
                                 std::int64_t length) {
    std::vector<Stretch> stretches;
    for (std::int32_t entry = first; entry < end; ++entry) {
        const bool isNew =
            entry == first || view.position(set, entry) / length != view.position(set, entry - 1) / length;
        if (isNew) {
            stretches.push_back({entry, entry});
        }
        stretches.back().end = entry + 1;
    }
    return stretches;
}

}  // namespace

PolicyInfo ChunkSelection::info(const std::vector<std::string>& bases) {
    return {.id = "chunkkv",
            .title = "ChunkKV",
            .group = "Chunks",
            .summary =
                "Keeps or evicts stretches of neighbouring tokens as a whole, by their mean score; all heads keep "
                "the same. The paper compresses a prompt once; where a text is streamed this is done whenever room is "
                "needed.",
            .paper = "Liu et al. 2025, arXiv 2502.00299, section 3.2",
            .usesBudget = true,
            .isReconstruction = true,
            .parameters = {baseParameter("snapkv", bases),
                           ParameterSpec::integer("length", "Length", 10, 1, 4096, "tokens", "Length of a stretch."),
                           Protection::sinksParameter(0), Protection::recentParameter(0),
                           Protection::intervalParameter(1)}};
}

ScoredPolicy::Parts ChunkSelection::parts(std::unique_ptr<Scorer> base, const ParameterMap& parameters) {
    return {.scorer = std::move(base),
            .protection = Protection::from(parameters),
            .perHead = false,
            .selection = std::make_unique<ChunkSelection>(integerOf(parameters, "length"))};
}

std::vector<std::vector<std::int32_t>> ChunkSelection::evicted(const LayerView& view,
                                                               const Candidates& candidates) const {
    std::vector<std::vector<std::int32_t>> gone(view.sets());
    for (std::size_t set = 0; set < view.sets(); ++set) {
        const auto stretches = stretchesOf(view, set, candidates.first, candidates.end(set), m_length);
        std::vector<float> means;
        for (const Stretch& stretch : stretches) {
            const auto begin = candidates.scores[set].begin() - candidates.first;
            const float sum = std::accumulate(begin + stretch.first, begin + stretch.end, 0.0F);
            means.push_back(sum / static_cast<float>(stretch.end - stretch.first));
        }
        std::int64_t surplus = view.count(set) - candidates.target;
        for (const std::int32_t worst : worstFirst(means)) {
            if (surplus <= 0) {
                break;
            }
            const Stretch& stretch = stretches[static_cast<std::size_t>(worst)];
            for (std::int32_t entry = stretch.first; entry < stretch.end; ++entry) {
                gone[set].push_back(entry);
            }
            surplus -= stretch.end - stretch.first;
        }
        std::sort(gone[set].begin(), gone[set].end());
    }
    return gone;
}

}  // namespace kvist
