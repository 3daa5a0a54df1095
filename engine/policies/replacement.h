// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace kvist {

/// What one more token does to a layer whose cache is full, where that follows from positions and one running score
/// an entry alone: one entry goes, the same for all heads. The score is column 0: the attention probability of all
/// queries so far, averaged over the query heads.
struct Replacement {
    enum class Goes { Oldest, LowestScore };  ///< of equal scores the later entry goes

    Goes goes = Goes::Oldest;
    std::int64_t sinks = 0;   ///< first entries, which stay
    std::int64_t recent = 0;  ///< last entries before the token, which stay; fewer where the budget is smaller
    bool isPerQuery = false;  ///< scores are divided by the number of queries that could see the entry
};

}  // namespace kvist
