// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace kvist {

/// How layers share a budget.
class LayerBudgets {
public:
    virtual ~LayerBudgets() = default;

    /// Entries per head of `layer`; over all layers `budget` on average. `fixed`: entries that each layer keeps
    /// whatever happens.
    virtual std::int64_t entries(std::int64_t budget, std::int64_t fixed, std::int64_t layer,
                                 std::int64_t layers) const = 0;
};

/// The same for each.
class EqualBudgets : public LayerBudgets {
public:
    std::int64_t entries(std::int64_t budget, std::int64_t, std::int64_t, std::int64_t) const override {
        return budget;
    }
};

}  // namespace kvist
