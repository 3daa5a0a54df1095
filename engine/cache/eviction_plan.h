// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace kvist {

/// Which entries of one layer go. Entries are named by their place in ascending order of position, so a plan
/// knows nothing of slots.
struct EvictionPlan {
    /// Ascending indices that go: one list that holds for every KV head, or a list for each. Empty: all stay.
    std::vector<std::vector<std::int32_t>> evicted;

    bool isEmpty() const;

    /// Plan for all heads alike that keeps exactly `kept` (ascending) of `count` entries.
    static EvictionPlan keeping(std::span<const std::int32_t> kept, std::int64_t count);

    /// Throws EngineError(Internal) where a list is not ascending, names an entry that is not there, or where
    /// the number of lists fits neither. `counts`: entries per list.
    void validate(std::span<const std::int64_t> counts) const;
};

}  // namespace kvist
