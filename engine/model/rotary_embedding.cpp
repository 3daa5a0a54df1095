// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/rotary_embedding.h"

namespace kvist {

RotaryEmbedding::RotaryEmbedding(std::int64_t headDim, double base, at::TensorOptions options) {
    const auto type = options.dtype() == at::kDouble ? at::kDouble : at::kFloat;
    const at::Tensor exponents = at::arange(0, headDim, 2, options.dtype(type)) / static_cast<double>(headDim);
    m_frequencies = at::reciprocal(at::pow(base, exponents));
}

RotaryAngles RotaryEmbedding::angles(std::int64_t first, std::int64_t count) const {
    return angles(at::arange(first, first + count, m_frequencies.options()));
}

RotaryAngles RotaryEmbedding::angles(const at::Tensor& positions) const {
    const at::Tensor angles = positions.to(m_frequencies.options()).unsqueeze(1) * m_frequencies.unsqueeze(0);
    return {angles.cos(), angles.sin()};
}

}  // namespace kvist
