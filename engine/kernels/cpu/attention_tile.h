// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cmath>

#include "engine/kernels/cpu/cpu_kernels.h"
#include "engine/kernels/cpu/tensor_element.h"

namespace kvist::kernels {

/// Rows of a tile: enough to pay for unpacking or decoding keys and values, few enough for the caches.
inline constexpr std::int64_t kTileRows = 224;
/// Probabilities that are kept until a tile's mass is known: 8 MiB.
inline constexpr std::int64_t kKeptProbabilities = std::int64_t{1} << 21;

/// Floats in whole cache lines of 64 bytes.
constexpr std::int64_t inCacheLines(std::int64_t floats) {
    return (floats + 15) / 16 * 16;
}

/// Consecutive queries of a chunk, [chunk, query_heads, head_dim], that are handled together.
struct AttentionTile {
    const at::Tensor& queries;
    std::int64_t kvHeads = 0;
    std::int64_t first = 0;  ///< query
    std::int64_t count = 0;  ///< queries

    std::int64_t group() const { return queries.size(1) / kvHeads; }
    std::int64_t headDim() const { return queries.size(2); }
    std::int64_t rows() const { return count * group(); }

    /// A piece of one KV head with all that the queries say; keys, values, slots and memory are left to the caller.
    AttentionPiece piece(std::int64_t head, double scale) const {
        AttentionPiece made{};
        made.queryType = *cpuElement(queries);
        made.queryStride = queries.stride(0);
        made.headStride = queries.stride(1);
        made.queries = static_cast<const char*>(queries.const_data_ptr()) +
                       (first * made.queryStride + head * group() * made.headStride) *
                           static_cast<std::int64_t>(queries.element_size());
        made.head = head;
        made.headDim = headDim();
        made.group = group();
        made.queryCount = count;
        made.scale = static_cast<float>(scale * M_LOG2E);
        return made;
    }

    /// What becomes of a head's pieces in `context` [chunk, query_heads · head_dim]; rows and softmax terms are left to
    /// the caller.
    AttentionFinish finish(std::int64_t head, const AttentionPiece* pieces, std::int64_t pieceCount,
                           const at::Tensor& context) const {
        AttentionFinish made{};
        made.pieces = pieces;
        made.pieceCount = pieceCount;
        made.context =
            static_cast<char*>(context.mutable_data_ptr()) +
            (first * kvHeads + head) * group() * headDim() * static_cast<std::int64_t>(context.element_size());
        made.contextQueryStride = kvHeads * group() * headDim();
        made.contextHeadStride = headDim();
        return made;
    }
};

}  // namespace kvist::kernels
