// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/kv_cache.h"

namespace kvist {

KvCache::KvCache(const CacheShape& shape, std::size_t columns, bool perHead, const CacheStore* store) : m_shape(shape) {
    m_layers.reserve(static_cast<std::size_t>(shape.layers));
    for (std::int64_t layer = 0; layer < shape.layers; ++layer) {
        LayerStore own = store == nullptr ? LayerStore() : store->layer(layer, shape);
        m_layers.emplace_back(shape, columns, perHead, std::move(own));
    }
}

CacheStats KvCache::stats() const {
    CacheStats sum;
    for (const LayerCache& layer : m_layers) {
        sum += layer.stats();
    }
    return sum;
}

void KvCache::clear() {
    for (LayerCache& layer : m_layers) {
        layer.clear();
    }
}

}  // namespace kvist
