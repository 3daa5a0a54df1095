// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace kvist {

/// The rotated queries of the last tokens of one layer, kept for policies that judge entries by them. Its bytes
/// are state of the policy.
class LayerQueries {
public:
    /// `window`: tokens whose queries are kept; 0 keeps nothing.
    explicit LayerQueries(std::int64_t window) : m_window(window) {}

    /// Queries [tokens, query_heads, head_dim] of positions first, first + 1, …, which follow those held.
    void append(const at::Tensor& queries, std::int64_t first);

    void clear();

    /// [tokens, query_heads, head_dim] in ascending order of position; undefined while nothing is held.
    const at::Tensor& rotated() const { return m_rotated; }
    std::int64_t count() const { return m_rotated.defined() ? m_rotated.size(0) : 0; }
    /// Position of the first one held.
    std::int64_t first() const { return m_first; }

    std::int64_t window() const { return m_window; }
    std::int64_t bytes() const;

private:
    std::int64_t m_window;
    at::Tensor m_rotated;
    std::int64_t m_first = 0;
};

}  // namespace kvist
