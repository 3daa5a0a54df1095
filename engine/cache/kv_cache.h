// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "engine/cache/cache_shape.h"
#include "engine/cache/cache_stats.h"
#include "engine/cache/layer_cache.h"

namespace kvist {

/// The caches of all layers of a decoder.
class KvCache {
public:
    /// `columns` and `perHead` as for LayerCache. Without `store` everything is held in full precision; it is not
    /// needed after the construction.
    KvCache(const CacheShape& shape, std::size_t columns, bool perHead, const CacheStore* store = nullptr);

    const CacheShape& shape() const { return m_shape; }
    LayerCache& layer(std::int64_t index) { return m_layers[static_cast<std::size_t>(index)]; }
    const LayerCache& layer(std::int64_t index) const { return m_layers[static_cast<std::size_t>(index)]; }

    CacheStats stats() const;
    void clear();

private:
    CacheShape m_shape;
    std::vector<LayerCache> m_layers;
};

}  // namespace kvist
