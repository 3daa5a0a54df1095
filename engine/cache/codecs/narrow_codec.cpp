// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/codecs/narrow_codec.h"

#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "engine/api/engine_error.h"

namespace kvist {
namespace {

std::vector<double> meanSquares(const float* rows, std::int64_t count, std::int64_t channels) {
    std::vector<double> means(static_cast<std::size_t>(channels), 0.0);
    for (std::int64_t row = 0; row < count; ++row) {
        for (std::int64_t channel = 0; channel < channels; ++channel) {
            const double x = rows[row * channels + channel];
            means[static_cast<std::size_t>(channel)] += x * x / static_cast<double>(count);
        }
    }
    return means;
}

/// Calls use with a number of the type that rows are held in.
template <typename Use>
void withType(at::ScalarType type, Use use) {
    if (type == at::kHalf) {
        use(c10::Half());
    } else if (type == at::kBFloat16) {
        use(c10::BFloat16());
    } else {
        use(float());
    }
}

}  // namespace

NarrowCodec::NarrowCodec(std::int64_t headDim, std::int64_t groupRows, std::int64_t kept, at::ScalarType type)
    : m_headDim(headDim),
      m_groupRows(groupRows),
      m_kept(kept),
      m_type(type),
      m_elementBytes(type == at::kHalf || type == at::kBFloat16 ? 2 : 4) {}

std::vector<std::uint16_t> NarrowCodec::channels(const RowGroup& group) const {
    std::vector<double> scores = meanSquares(group.rows, group.count, m_headDim);
    if (!std::all_of(scores.begin(), scores.end(), [](double score) { return std::isfinite(score); })) {
        throw EngineError(ErrorKind::Numerical, "the channels of keys that are NaN or infinite cannot be compared");
    }
    if (group.queries != nullptr && group.queryCount > 0) {
        const std::vector<double> asked = meanSquares(group.queries, group.queryCount, m_headDim);
        std::transform(scores.begin(), scores.end(), asked.begin(), scores.begin(), std::multiplies<>());
    }
    std::vector<std::uint16_t> order(static_cast<std::size_t>(m_headDim));
    std::iota(order.begin(), order.end(), std::uint16_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint16_t a, std::uint16_t b) { return scores[a] > scores[b]; });
    order.resize(static_cast<std::size_t>(m_kept));
    std::sort(order.begin(), order.end());
    return order;
}

void NarrowCodec::encode(const RowGroup& group, std::byte* out) const {
    const std::vector<std::uint16_t> kept = channels(group);
    std::memset(out, 0, static_cast<std::size_t>(groupBytes()));
    std::memcpy(out + codeBytes(), kept.data(), kept.size() * sizeof(kept.front()));
    withType(m_type, [&](auto zero) {
        auto next = zero;
        for (std::int64_t row = 0; row < group.count; ++row) {
            for (const std::uint16_t channel : kept) {
                next = static_cast<decltype(zero)>(group.rows[row * m_headDim + channel]);
                std::memcpy(out, &next, sizeof(next));
                out += sizeof(next);
            }
        }
    });
}

void NarrowCodec::decode(const std::byte* in, std::int64_t count, float* rows) const {
    std::vector<std::uint16_t> kept(static_cast<std::size_t>(m_kept));
    std::memcpy(kept.data(), in + codeBytes(), kept.size() * sizeof(kept.front()));
    std::fill_n(rows, count * m_headDim, 0.0F);
    withType(m_type, [&](auto next) {
        for (std::int64_t row = 0; row < count; ++row) {
            for (const std::uint16_t channel : kept) {
                std::memcpy(&next, in, sizeof(next));
                rows[row * m_headDim + channel] = static_cast<float>(next);
                in += sizeof(next);
            }
        }
    });
}

}  // namespace kvist
