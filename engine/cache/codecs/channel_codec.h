// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cache/codecs/bit_packing.h"
#include "engine/cache/entry_codec.h"

namespace kvist {

/// KIVI's keys (Liu et al. 2024, arXiv 2402.02750, section 3.2): each channel of a group of tokens has a scale and a
/// minimum of its own, since keys have few channels of large numbers. A group is, channel by channel, the codes of
/// its tokens; then a MinMaxScale for each channel.
class ChannelCodec : public EntryCodec {
public:
    /// `bits`: 2, 4 or 8.
    ChannelCodec(std::int64_t headDim, std::int64_t groupRows, int bits)
        : m_headDim(headDim), m_groupRows(groupRows), m_bits(bits) {}

    int bits() const { return m_bits; }
    std::int64_t groupRows() const override { return m_groupRows; }
    std::int64_t codeBytes() const override { return m_headDim * packedBytes(m_groupRows, m_bits); }
    std::int64_t scaleBytes() const override { return m_headDim * 4; }
    void encode(const RowGroup& group, std::byte* out) const override;
    void decode(const std::byte* in, std::int64_t count, float* rows) const override;

private:
    std::int64_t m_headDim;
    std::int64_t m_groupRows;
    int m_bits;
};

}  // namespace kvist
