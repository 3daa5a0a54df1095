// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

namespace kvist {

/// Where in a text a plan is asked for.
enum class PlanPhase {
    Prefill,     ///< tokens come, and whether a prompt ends somewhere is not known
    PrefillEnd,  ///< the prompt has ended; all of it has been fed
    Decode,      ///< tokens after the prompt come
};

/// Positions [first, end).
struct TokenSpan {
    std::int64_t first = 0;
    std::int64_t end = 0;

    bool isEmpty() const { return end <= first; }
    bool operator==(const TokenSpan&) const = default;
};

/// What a policy is told when it is asked for a plan.
struct PlanContext {
    std::int64_t layer = 0;       ///< -1 in planAll()
    std::int64_t target = 0;      ///< entries per head that may stay; in planAll() the layers' mean
    std::int64_t tokensSeen = 0;  ///< tokens fed to this layer so far
    std::int64_t coming = 0;      ///< tokens that the plan makes room for; 0 after a chunk
    PlanPhase phase = PlanPhase::Prefill;
    std::int64_t promptLength = 0;              ///< tokens of the prompt; 0 while it has not ended
    std::span<const std::int32_t> tokens = {};  ///< ids of the tokens seen, by position; empty after a random filling
    TokenSpan question = {};                    ///< the question within the prompt; empty where nobody marked one
};

}  // namespace kvist
