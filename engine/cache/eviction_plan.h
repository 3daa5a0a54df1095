// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace kvist {

/// A value that is added to another before entries go: value[to] += weight · value[from], with all values as they
/// were before the plan. An entry may be added to itself.
struct ValueMerge {
    std::int32_t from = 0;
    std::int32_t to = 0;
    float weight = 0.0F;
};

/// Which entries of one layer go, and which values stay behind with others. Entries are named by their place in
/// ascending order of position, so a plan knows nothing of slots.
struct EvictionPlan {
    /// Ascending indices that go: one list that holds for every KV head, or a list for each. Empty: all stay.
    std::vector<std::vector<std::int32_t>> evicted;

    /// As many lists, or none.
    std::vector<std::vector<ValueMerge>> merges = {};

    bool isEmpty() const;

    /// Throws EngineError(Internal) where a list is not ascending, names an entry that is not there, where a merge
    /// names one, or where the number of lists fits neither. `counts`: entries per list.
    void validate(std::span<const std::int64_t> counts) const;
};

}  // namespace kvist
