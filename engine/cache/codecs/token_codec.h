// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>

#include "engine/cache/codecs/bit_packing.h"
#include "engine/cache/entry_codec.h"

namespace kvist {

/// KIVI's values (Liu et al. 2024, arXiv 2402.02750, section 3.2): each token by itself, with a scale and a minimum
/// for every `groupChannels` neighbouring channels. A group is one token: its codes, then its MinMaxScales.
class TokenCodec : public EntryCodec {
public:
    /// `bits`: 2, 4 or 8. The last group of channels may be shorter.
    TokenCodec(std::int64_t headDim, std::int64_t groupChannels, int bits)
        : m_headDim(headDim), m_groupChannels(std::min(groupChannels, headDim)), m_bits(bits) {}

    int bits() const { return m_bits; }
    std::int64_t groupChannels() const { return m_groupChannels; }
    std::int64_t groupRows() const override { return 1; }
    std::int64_t codeBytes() const override;
    std::int64_t scaleBytes() const override { return groups() * 4; }
    void encode(const RowGroup& group, std::byte* out) const override;
    void decode(const std::byte* in, std::int64_t count, float* rows) const override;

private:
    std::int64_t groups() const { return (m_headDim + m_groupChannels - 1) / m_groupChannels; }
    std::int64_t channelsOf(std::int64_t group) const {
        return std::min(m_groupChannels, m_headDim - group * m_groupChannels);
    }

    std::int64_t m_headDim;
    std::int64_t m_groupChannels;
    int m_bits;
};

}  // namespace kvist
