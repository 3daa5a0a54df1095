// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/codecs/channel_codec.h"

#include <cstring>

#include "engine/cache/codecs/minmax_scale.h"

namespace kvist {

void ChannelCodec::encode(const RowGroup& group, std::byte* out) const {
    const unsigned highest = (1U << static_cast<unsigned>(m_bits)) - 1U;
    const std::int64_t bytes = packedBytes(m_groupRows, m_bits);
    std::memset(out, 0, static_cast<std::size_t>(groupBytes()));
    for (std::int64_t channel = 0; channel < m_headDim; ++channel) {
        const float* values = group.rows + channel;
        const MinMaxScale scale = MinMaxScale::of(values, group.count, m_headDim, highest);
        for (std::int64_t row = 0; row < group.count; ++row) {
            packCode(out + channel * bytes, bytes, m_bits, row, scale.code(values[row * m_headDim], highest));
        }
        std::memcpy(out + codeBytes() + channel * 4, &scale, sizeof(scale));
    }
}

void ChannelCodec::decode(const std::byte* in, std::int64_t count, float* rows) const {
    const std::int64_t bytes = packedBytes(m_groupRows, m_bits);
    for (std::int64_t channel = 0; channel < m_headDim; ++channel) {
        MinMaxScale scale;
        std::memcpy(&scale, in + codeBytes() + channel * 4, sizeof(scale));
        const auto minimum = static_cast<float>(scale.minimum);
        const auto step = static_cast<float>(scale.scale);
        unpackCodes(in + channel * bytes, m_bits, m_groupRows, [&](std::int64_t row, unsigned code) {
            if (row < count) {
                rows[row * m_headDim + channel] = minimum + step * static_cast<float>(code);
            }
        });
    }
}

}  // namespace kvist
