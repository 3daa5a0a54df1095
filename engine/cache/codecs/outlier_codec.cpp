// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/codecs/outlier_codec.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include "engine/cache/codecs/bit_packing.h"

namespace kvist {

OutlierCodec::OutlierCodec(std::shared_ptr<const RotationCodec> outliers, std::shared_ptr<const RotationCodec> others,
                           std::int64_t groupRows)
    : m_outliers(std::move(outliers)),
      m_others(std::move(others)),
      m_count(m_outliers->headDim()),
      m_headDim(m_count + m_others->headDim()),
      m_groupRows(groupRows) {}

std::int64_t OutlierCodec::codeBytes() const {
    return m_groupRows * (m_outliers->codeBytes() + m_others->codeBytes());
}

std::int64_t OutlierCodec::scaleBytes() const {
    return m_groupRows * (m_outliers->scaleBytes() + m_others->scaleBytes()) + packedBytes(m_headDim, 1);
}

std::vector<std::int64_t> OutlierCodec::outliers(const RowGroup& group) const {
    std::vector<double> squares(static_cast<std::size_t>(m_headDim), 0.0);
    for (std::int64_t row = 0; row < group.count; ++row) {
        for (std::int64_t channel = 0; channel < m_headDim; ++channel) {
            const double x = group.rows[row * m_headDim + channel];
            squares[static_cast<std::size_t>(channel)] += x * x;
        }
    }
    std::vector<std::int64_t> order(squares.size());
    std::iota(order.begin(), order.end(), std::int64_t{0});
    const auto isLarger = [&](std::int64_t a, std::int64_t b) {
        return squares[static_cast<std::size_t>(a)] > squares[static_cast<std::size_t>(b)];
    };
    std::stable_sort(order.begin(), order.end(), isLarger);
    order.resize(static_cast<std::size_t>(m_count));
    std::sort(order.begin(), order.end());
    return order;
}

void OutlierCodec::encode(const RowGroup& group, std::byte* out) const {
    const std::int64_t maskBytes = packedBytes(m_headDim, 1);
    std::memset(out, 0, static_cast<std::size_t>(groupBytes()));
    std::vector<bool> isOutlier(static_cast<std::size_t>(m_headDim), false);
    for (const std::int64_t channel : outliers(group)) {
        isOutlier[static_cast<std::size_t>(channel)] = true;
        packCode(out, maskBytes, 1, channel, 1);
    }
    std::vector<float> parts(static_cast<std::size_t>(m_headDim));
    for (std::int64_t row = 0; row < group.count; ++row) {
        float* large = parts.data();
        float* other = parts.data() + m_count;
        for (std::int64_t channel = 0; channel < m_headDim; ++channel) {
            *(isOutlier[static_cast<std::size_t>(channel)] ? large++ : other++) = group.rows[row * m_headDim + channel];
        }
        std::byte* place = out + maskBytes + row * rowBytes();
        m_outliers->encode({.rows = parts.data(), .count = 1}, place);
        m_others->encode({.rows = parts.data() + m_count, .count = 1}, place + m_outliers->groupBytes());
    }
}

void OutlierCodec::decode(const std::byte* in, std::int64_t count, float* rows) const {
    std::vector<bool> isOutlier(static_cast<std::size_t>(m_headDim));
    unpackCodes(in, 1, m_headDim,
                [&](std::int64_t i, unsigned bit) { isOutlier[static_cast<std::size_t>(i)] = bit == 1; });
    std::vector<float> parts(static_cast<std::size_t>(m_headDim));
    for (std::int64_t row = 0; row < count; ++row) {
        const std::byte* place = in + packedBytes(m_headDim, 1) + row * rowBytes();
        m_outliers->decode(place, 1, parts.data());
        m_others->decode(place + m_outliers->groupBytes(), 1, parts.data() + m_count);
        const float* large = parts.data();
        const float* other = parts.data() + m_count;
        for (std::int64_t channel = 0; channel < m_headDim; ++channel) {
            rows[row * m_headDim + channel] = isOutlier[static_cast<std::size_t>(channel)] ? *large++ : *other++;
        }
    }
}

}  // namespace kvist
