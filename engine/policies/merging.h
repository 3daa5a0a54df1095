// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/policies/pruning_policy.h"

namespace kvist {

/// What the values of evicted entries leave behind with those that stay. Keeps nothing of what it sees but columns
/// of the cache, counted from `column`.
class Merging {
public:
    virtual ~Merging() = default;

    virtual PolicyNeeds needs() const { return {}; }

    virtual void observe(const LayerObservation& observation, std::size_t column) {
        static_cast<void>(observation);
        static_cast<void>(column);
    }

    /// Merges of one set whose entries `evicted` (ascending) go.
    virtual std::vector<ValueMerge> merges(const LayerView& view, std::size_t set, const PlanContext& context,
                                           const std::vector<std::int32_t>& evicted, std::size_t column) const = 0;
};

}  // namespace kvist
