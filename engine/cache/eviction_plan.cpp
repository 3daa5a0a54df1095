// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/eviction_plan.h"

#include <algorithm>

#include "engine/api/engine_error.h"

namespace kvist {

bool EvictionPlan::isEmpty() const {
    return std::all_of(evicted.begin(), evicted.end(), [](const auto& list) { return list.empty(); });
}

void EvictionPlan::validate(std::span<const std::int64_t> counts) const {
    if (!evicted.empty() && evicted.size() != counts.size()) {
        throw EngineError(ErrorKind::Internal, "an eviction plan has " + std::to_string(evicted.size()) +
                                                   " lists for " + std::to_string(counts.size()) + " sets of entries");
    }
    for (std::size_t i = 0; i < evicted.size(); ++i) {
        std::int64_t previous = -1;
        for (const std::int32_t entry : evicted[i]) {
            if (entry <= previous || entry >= counts[i]) {
                throw EngineError(ErrorKind::Internal, "an eviction plan is not ascending or names entry " +
                                                           std::to_string(entry) + " of " + std::to_string(counts[i]));
            }
            previous = entry;
        }
    }
    if (!merges.empty() && merges.size() != evicted.size()) {
        throw EngineError(ErrorKind::Internal, "an eviction plan has " + std::to_string(merges.size()) +
                                                   " lists of merges for " + std::to_string(evicted.size()) +
                                                   " of evictions");
    }
    for (std::size_t i = 0; i < merges.size(); ++i) {
        for (const ValueMerge& merge : merges[i]) {
            if (std::min(merge.from, merge.to) < 0 || std::max(merge.from, merge.to) >= counts[i]) {
                throw EngineError(ErrorKind::Internal, "an eviction plan merges entry " + std::to_string(merge.from) +
                                                           " into " + std::to_string(merge.to) + " of " +
                                                           std::to_string(counts[i]));
            }
        }
    }
}

}  // namespace kvist
