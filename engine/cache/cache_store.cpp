// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/cache_store.h"

#include <vector>

namespace kvist {

std::int64_t RowStore::bytes(std::int64_t entries, std::int64_t rowBytes) const {
    const std::int64_t coded = leaving(entries);
    const std::int64_t groups = coded == 0 ? 0 : coded / codec->groupRows();
    return (entries - coded) * rowBytes + (groups == 0 ? 0 : groups * codec->groupBytes());
}

std::int64_t CacheStore::bytes(const CacheShape& shape, std::span<const std::int64_t> entries) const {
    const std::int64_t rowBytes = shape.entryBytes() / 2;
    std::int64_t sum = 0;
    for (std::int64_t index = 0; index < shape.layers; ++index) {
        const LayerStore store = layer(index, shape);
        const std::int64_t held = entries[static_cast<std::size_t>(index)];
        sum += store.keys.bytes(held, rowBytes) + store.values.bytes(held, rowBytes);
    }
    return sum * shape.kvHeads;
}

std::int64_t CacheStore::bytes(const CacheShape& shape, std::int64_t entries) const {
    return bytes(shape, std::vector<std::int64_t>(static_cast<std::size_t>(shape.layers), entries));
}

}  // namespace kvist
