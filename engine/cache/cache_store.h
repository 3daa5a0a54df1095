// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "engine/cache/cache_shape.h"
#include "engine/cache/entry_codec.h"

namespace kvist {

/// How one tensor of a layer, its keys or its values, is held: the newest rows in full precision, older ones as
/// codes.
struct RowStore {
    std::shared_ptr<const EntryCodec> codec = {};  ///< none: all rows in full precision
    std::int64_t tail = 0;                         ///< newest rows that stay in full precision
    std::int64_t step = 1;                         ///< rows that leave the tail together; whole groups

    /// Rows of a tail of `count` that are coded now.
    std::int64_t leaving(std::int64_t count) const {
        return codec == nullptr || count <= tail ? 0 : (count - tail) / step * step;
    }

    /// Bytes that `entries` rows of one head take once they have left the tail, as far as they do.
    std::int64_t bytes(std::int64_t entries, std::int64_t rowBytes) const;
};

struct LayerStore {
    RowStore keys = {};
    RowStore values = {};
    bool mergesSparse = true;  ///< groups that evictions have left half empty are coded anew with a neighbour

    bool isPlain() const { return keys.codec == nullptr && values.codec == nullptr; }
};

/// How a session's cache holds its entries, layer by layer.
class CacheStore {
public:
    virtual ~CacheStore() = default;

    virtual LayerStore layer(std::int64_t layer, const CacheShape& shape) const = 0;

    /// Tokens whose queries a codec sees.
    virtual std::int64_t queryWindow() const { return 0; }

    /// Bytes of keys and values of all layers and heads once each head holds its layer's number of `entries`.
    std::int64_t bytes(const CacheShape& shape, std::span<const std::int64_t> entries) const;
    /// The same where all layers hold as many.
    std::int64_t bytes(const CacheShape& shape, std::int64_t entries) const;
};

}  // namespace kvist
