// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/cache_timeline.h"

#include <algorithm>

namespace kvist {

void CacheTimeline::record(std::size_t chunk, std::int64_t tokensSeen, const CacheStats& full, const CacheStats& live) {
    const std::size_t at = m_first + chunk;
    if (at >= m_moments.size()) {
        m_moments.resize(at + 1);
    }
    Moment& moment = m_moments[at];
    moment.tokensSeen = tokensSeen;
    moment.full += full;
    moment.live += live;
}

void CacheTimeline::clear() {
    m_first = 0;
    m_moments.clear();
}

CacheStats CacheTimeline::peak() const {
    CacheStats peak;
    for (const Moment& moment : m_moments) {
        peak.payload = std::max(peak.payload, moment.full.payload);
        peak.metadata = std::max(peak.metadata, moment.full.metadata);
        peak.policyState = std::max(peak.policyState, moment.full.policyState);
        peak.allocated = std::max(peak.allocated, moment.full.allocated);
    }
    return peak;
}

}  // namespace kvist
