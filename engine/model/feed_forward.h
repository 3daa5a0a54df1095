// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <string>

#include "engine/model/model_config.h"
#include "engine/model/weight_form.h"

namespace kvist {

class Weights;

/// down(silu(gate(x)) · up(x)) (Shazeer 2020, arXiv 2002.05202, section 2). Gate and up are one fused matrix.
class FeedForward {
public:
    FeedForward(const ModelConfig& config, const Weights& weights, const std::string& prefix, const WeightForm& form);

    /// x [tokens, hidden] → [tokens, hidden].
    at::Tensor forward(const at::Tensor& x) const;

    std::int64_t weightBytes() const { return m_gateUpWeight.bytes() + m_downWeight.bytes(); }

private:
    kernels::Matrix m_gateUpWeight;  // [2 · intermediate, hidden]
    kernels::Matrix m_downWeight;    // [hidden, intermediate]
};

}  // namespace kvist
