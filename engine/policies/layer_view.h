// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "engine/cache/layer_cache.h"

namespace kvist {

/// What a policy may look at when it plans: the entries of one layer in ascending order of position. A set of
/// entries is one KV head's, or all heads' where they hold the same.
class LayerView {
public:
    explicit LayerView(const LayerCache& cache) : m_cache(cache) {}

    std::size_t sets() const { return m_cache.indexes(); }
    std::int64_t count(std::size_t set) const { return m_cache.index(set).count(); }
    std::int64_t position(std::size_t set, std::int64_t entry) const { return m_cache.index(set).position(entry); }

    /// Values of a policy's column for entries [begin, end).
    std::vector<float> column(std::size_t set, std::size_t column, std::int64_t begin, std::int64_t end) const;

private:
    const LayerCache& m_cache;
};

}  // namespace kvist
