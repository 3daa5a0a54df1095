// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/codecs/token_codec.h"

#include <cstring>

#include "engine/cache/codecs/minmax_scale.h"

namespace kvist {

std::int64_t TokenCodec::codeBytes() const {
    return (groups() - 1) * packedBytes(m_groupChannels, m_bits) + packedBytes(channelsOf(groups() - 1), m_bits);
}

void TokenCodec::encode(const RowGroup& group, std::byte* out) const {
    const unsigned highest = (1U << static_cast<unsigned>(m_bits)) - 1U;
    std::memset(out, 0, static_cast<std::size_t>(groupBytes()));
    std::byte* scales = out + codeBytes();
    for (std::int64_t index = 0; index < groups(); ++index) {
        const float* values = group.rows + index * m_groupChannels;
        const std::int64_t channels = channelsOf(index);
        const std::int64_t bytes = packedBytes(channels, m_bits);
        const MinMaxScale scale = MinMaxScale::of(values, channels, 1, highest);
        for (std::int64_t channel = 0; channel < channels; ++channel) {
            packCode(out, bytes, m_bits, channel, scale.code(values[channel], highest));
        }
        std::memcpy(scales + index * 4, &scale, sizeof(scale));
        out += bytes;
    }
}

void TokenCodec::decode(const std::byte* in, std::int64_t count, float* rows) const {
    if (count == 0) {
        return;
    }
    const std::byte* scales = in + codeBytes();
    for (std::int64_t index = 0; index < groups(); ++index) {
        MinMaxScale scale;
        std::memcpy(&scale, scales + index * 4, sizeof(scale));
        const auto minimum = static_cast<float>(scale.minimum);
        const auto step = static_cast<float>(scale.scale);
        float* values = rows + index * m_groupChannels;
        const std::int64_t channels = channelsOf(index);
        unpackCodes(in, m_bits, channels, [&](std::int64_t channel, unsigned code) {
            values[channel] = minimum + step * static_cast<float>(code);
        });
        in += packedBytes(channels, m_bits);
    }
}

}  // namespace kvist
