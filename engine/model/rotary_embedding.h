// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>

#include "engine/model/yarn_scaling.h"

namespace kvist {

/// Angles of the rotary position embedding (Su et al. 2021, arXiv 2104.09864, section 3.2) for a run of tokens.
struct RotaryAngles {
    at::Tensor cos;  ///< [tokens, head_dim / 2]
    at::Tensor sin;  ///< [tokens, head_dim / 2]
};

/// theta_f = base^(-2 f / head_dim), times the position; with YaRN each theta_f is stretched and cosine and sine are
/// scaled. Angles are float32, as transformers computes them, and float64 for a decoder in float64.
class RotaryEmbedding {
public:
    RotaryEmbedding(std::int64_t headDim, double base, at::TensorOptions options,
                    const std::optional<YarnScaling>& yarn = std::nullopt);

    /// Positions first, first + 1, … first + count − 1.
    RotaryAngles angles(std::int64_t first, std::int64_t count) const;

    /// Any positions, [tokens], int64.
    RotaryAngles angles(const at::Tensor& positions) const;

    /// What turns rows from positions to others, both [tokens], int64: exactly what undoes the one rotation and makes
    /// the other, YaRN's scale left as it is.
    RotaryAngles turn(const at::Tensor& from, const at::Tensor& to) const;

    /// What undoes angles(): turns back, and takes YaRN's scale out.
    RotaryAngles inverse(const RotaryAngles& angles) const;

private:
    at::Tensor m_frequencies;  // [head_dim / 2]
    double m_scale = 1;
};

}  // namespace kvist
