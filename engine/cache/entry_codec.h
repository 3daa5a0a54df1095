// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>

namespace kvist {

/// Rows of one KV head that are coded together, and what a codec may look at beside them.
struct RowGroup {
    const float* rows = nullptr;     ///< [count, head_dim]
    std::int64_t count = 0;          ///< 1 to EntryCodec::groupRows()
    const float* queries = nullptr;  ///< [queries, head_dim] of the head's group, rotated, the latest tokens' only;
                                     ///< null where the store asked for none or nothing has been fed yet
    std::int64_t queryCount = 0;
};

/// How keys or values of a layer are held and read: groups of rows become groups of bytes of fixed size. A codec
/// keeps nothing of what it codes.
class EntryCodec {
public:
    virtual ~EntryCodec() = default;

    /// Rows of a full group.
    virtual std::int64_t groupRows() const = 0;
    /// Bytes of a group: codes, and what is needed to read them (scales, minima, norms, channel numbers).
    virtual std::int64_t codeBytes() const = 0;
    virtual std::int64_t scaleBytes() const = 0;
    std::int64_t groupBytes() const { return codeBytes() + scaleBytes(); }

    /// Writes groupBytes() bytes. Throws EngineError(Numerical) for rows that are not finite or that the scales
    /// cannot express.
    virtual void encode(const RowGroup& group, std::byte* out) const = 0;

    /// Writes rows [count, head_dim], the first `count` of the group.
    virtual void decode(const std::byte* in, std::int64_t count, float* rows) const = 0;

    /// Where rows are coded in another basis: a matrix [turnedWidth(), head_dim], float32, so that rows are those of
    /// decodeTurned() times the matrix, which is cheaper for many rows at once. Its first head_dim rows are orthogonal.
    /// Undefined: none.
    virtual at::Tensor basis() const { return {}; }
    /// Numbers of a turned row where there is a basis: head_dim or more.
    virtual std::int64_t turnedWidth() const { return basis().size(0); }
    virtual void decodeTurned(const std::byte* in, std::int64_t count, float* rows) const { decode(in, count, rows); }
};

}  // namespace kvist
