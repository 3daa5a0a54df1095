// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace kvist {

/// Angles of the rotary position embedding (Su et al. 2021, arXiv 2104.09864, section 3.2) for a run of tokens.
struct RotaryAngles {
    at::Tensor cos;  ///< [tokens, head_dim / 2]
    at::Tensor sin;  ///< [tokens, head_dim / 2]
};

/// theta_f = base^(-2 f / head_dim), times the position. Angles are float32, as transformers computes them, and
/// float64 for a decoder in float64.
class RotaryEmbedding {
public:
    RotaryEmbedding(std::int64_t headDim, double base, at::TensorOptions options);

    /// Positions first, first + 1, … first + count − 1.
    RotaryAngles angles(std::int64_t first, std::int64_t count) const;

    /// Any positions, [tokens], int64.
    RotaryAngles angles(const at::Tensor& positions) const;

private:
    at::Tensor m_frequencies;  // [head_dim / 2]
};

}  // namespace kvist
