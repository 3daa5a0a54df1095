// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/ScalarType.h>

#include <vector>

#include "engine/cache/entry_codec.h"

namespace kvist {

/// ThinK's keys (Xu et al. 2024, arXiv 2407.21018, section 3.3): of a group of tokens only the channels that matter
/// most for the latest queries are held, in the cache's own type; the others read as 0. A channel counts the mean
/// square of the queries times the mean square of the keys, averaged over the query heads. Without queries the keys
/// alone decide. A group is its rows, narrower, and the numbers of the channels.
class NarrowCodec : public EntryCodec {
public:
    /// `kept` channels of `headDim`; `type`: float32, bfloat16 or float16 (float64 is held in float32).
    NarrowCodec(std::int64_t headDim, std::int64_t groupRows, std::int64_t kept, at::ScalarType type);

    std::int64_t kept() const { return m_kept; }
    std::int64_t groupRows() const override { return m_groupRows; }
    std::int64_t codeBytes() const override { return m_groupRows * m_kept * m_elementBytes; }
    std::int64_t scaleBytes() const override { return m_kept * 2; }
    void encode(const RowGroup& group, std::byte* out) const override;
    void decode(const std::byte* in, std::int64_t count, float* rows) const override;

    /// The channels that a group keeps, ascending; of equal ones the lower.
    std::vector<std::uint16_t> channels(const RowGroup& group) const;

private:
    std::int64_t m_headDim;
    std::int64_t m_groupRows;
    std::int64_t m_kept;
    at::ScalarType m_type;
    std::int64_t m_elementBytes;
};

}  // namespace kvist
