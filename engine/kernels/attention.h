// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <span>

namespace kvist::kernels {

/// Grouped-query attention of one layer for a chunk of queries over the entries that the cache holds.
///
/// Slots of a KV head are filled from 0 without gaps and in any order of position. Slots [0, held[h]) were
/// there before the chunk and are visible to each of its queries; the chunk's own entries follow in order
/// and are triangular: query i sees slots [0, held[h] + i]. Softmax does not care about the order.
struct AttentionCall {
    at::Tensor queries;                  ///< [chunk, query_heads, head_dim], rotated
    at::Tensor keys;                     ///< [kv_heads, capacity, head_dim], rotated; innermost stride 1
    at::Tensor values;                   ///< [kv_heads, capacity, head_dim]; innermost stride 1
    std::span<const std::int64_t> held;  ///< per KV head, entries before the chunk; held[h] + chunk <= capacity
    double scale = 1.0;                  ///< 1 / sqrt(head_dim)
    bool wantsMass = false;
    /// Where defined, [slots] float32 for at least max(held) + chunk slots: the probability that each slot received,
    /// averaged over all query heads and summed over the queries, is added here by attention(). All heads hold the
    /// same number.
    at::Tensor scores = {};
};

struct AttentionResult {
    at::Tensor context;  ///< [chunk, query_heads * head_dim], type of the queries
    /// Where wanted: [kv_heads, max(held) + chunk] float32 (float64 for float64 inputs): the probability that
    /// each slot received, summed over the chunk's queries and over the query heads of the group; 0 beyond a
    /// head's own entries.
    at::Tensor mass;
};

/// Products and softmax in float32 whatever the stored type (float64 for float64). Picks the fastest
/// implementation for device, type and CPU.
AttentionResult attention(const AttentionCall& call);

/// The same in plain libtorch operations: the yardstick of the tests, and what runs on devices and types
/// without an implementation of their own.
AttentionResult attentionReference(const AttentionCall& call);

}  // namespace kvist::kernels
