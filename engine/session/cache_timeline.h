// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "engine/cache/cache_stats.h"

namespace kvist {

/// Bytes of the whole cache after every chunk. Layers report a chunk whenever they reach it, in any order; a
/// moment's figure is the sum over the layers at the same chunk, so that running layer by layer gives the same
/// figures as running in order.
class CacheTimeline {
public:
    struct Moment {
        std::int64_t tokensSeen = 0;
        CacheStats full;  ///< with the chunk appended, before the pruning that follows it
        CacheStats live;  ///< after that pruning
    };

    /// Starts a run of chunks; record() counts chunks from here.
    void begin() { m_first = m_moments.size(); }
    void record(std::size_t chunk, std::int64_t tokensSeen, const CacheStats& full, const CacheStats& live);
    void clear();

    const std::vector<Moment>& moments() const { return m_moments; }
    /// Largest value of each kind over time.
    CacheStats peak() const;

private:
    std::size_t m_first = 0;
    std::vector<Moment> m_moments;
};

}  // namespace kvist
