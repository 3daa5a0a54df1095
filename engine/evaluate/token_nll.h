// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <vector>

#include "engine/model/decoder.h"

namespace kvist {

/// Negative log likelihoods, in nats, of the tokens that follow: row i of `hidden` [rows, hidden] predicts
/// next[i]. Logits are computed in blocks of rows and compared in float32 (float64 for float64). Throws
/// EngineError(Numerical) with the position (first + row) where one is NaN or infinite.
std::vector<float> tokenNll(const Decoder& decoder, const at::Tensor& hidden, std::span<const std::int32_t> next,
                            std::int64_t first, const std::stop_token& stop);

}  // namespace kvist
