// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/rotary_embedding.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace kvist {
namespace {

/// Share of each component's stretched frequency, [head_dim / 2]: 0 for fast ones, 1 for slow ones, a ramp between
/// (section 3.2 of the paper, with the bounds of transformers' _compute_yarn_parameters).
at::Tensor stretchedShare(const YarnScaling& yarn, std::int64_t headDim, double base, const at::Tensor& like) {
    const auto dimension = static_cast<double>(headDim);
    const auto componentOf = [&](double turns) {
        const auto positions = static_cast<double>(yarn.originalPositions);
        return dimension * std::log(positions / (turns * 2 * std::numbers::pi)) / (2 * std::log(base));
    };
    double low = componentOf(yarn.betaFast);
    double high = componentOf(yarn.betaSlow);
    if (yarn.truncates) {
        low = std::floor(low);
        high = std::ceil(high);
    }
    low = std::max(low, 0.0);
    high = std::min(high, dimension - 1);
    if (low == high) {
        high += 0.001;
    }
    return ((at::arange(0, headDim / 2, like.options()) - low) / (high - low)).clamp(0, 1);
}

}  // namespace

RotaryEmbedding::RotaryEmbedding(std::int64_t headDim, double base, at::TensorOptions options,
                                 const std::optional<YarnScaling>& yarn)
    : m_scale(yarn ? yarn->scale() : 1.0) {
    const auto type = options.dtype() == at::kDouble ? at::kDouble : at::kFloat;
    const at::Tensor exponents = at::arange(0, headDim, 2, options.dtype(type)) / static_cast<double>(headDim);
    const at::Tensor periods = at::pow(base, exponents);
    m_frequencies = at::reciprocal(periods);
    if (yarn) {
        const at::Tensor kept = 1 - stretchedShare(*yarn, headDim, base, m_frequencies);
        m_frequencies = at::reciprocal(periods * yarn->factor) * (1 - kept) + m_frequencies * kept;
    }
}

RotaryAngles RotaryEmbedding::angles(std::int64_t first, std::int64_t count) const {
    return angles(at::arange(first, first + count, m_frequencies.options()));
}

RotaryAngles RotaryEmbedding::angles(const at::Tensor& positions) const {
    const at::Tensor angles = positions.to(m_frequencies.options()).unsqueeze(1) * m_frequencies.unsqueeze(0);
    return m_scale == 1.0 ? RotaryAngles{angles.cos(), angles.sin()}
                          : RotaryAngles{angles.cos() * m_scale, angles.sin() * m_scale};
}

RotaryAngles RotaryEmbedding::inverse(const RotaryAngles& angles) const {
    return m_scale == 1.0 ? RotaryAngles{angles.cos, -angles.sin}
                          : RotaryAngles{angles.cos / (m_scale * m_scale), angles.sin / (-m_scale * m_scale)};
}

RotaryAngles RotaryEmbedding::turn(const at::Tensor& from, const at::Tensor& to) const {
    const RotaryAngles back = inverse(angles(from));
    const RotaryAngles on = angles(to);
    return {on.cos * back.cos - on.sin * back.sin, on.sin * back.cos + on.cos * back.sin};
}

}  // namespace kvist
