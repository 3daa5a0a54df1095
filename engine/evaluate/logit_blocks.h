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

/// Predictions of some tokens: what follows row i is next[i].
struct LogitBlock {
    at::Tensor logits;                   ///< [rows, vocabulary], float32 (float64 for float64)
    std::span<const std::int32_t> next;  ///< ids
    std::int64_t position = 0;           ///< of the token that the first row was computed from
};

/// Computes the logits of `hidden` [rows, hidden] in blocks of rows that take 64 MiB, and hands each on. Row i
/// predicts next[i]; `first` is the position of row 0.
void forEachLogitBlock(const Decoder& decoder, const at::Tensor& hidden, std::span<const std::int32_t> next,
                       std::int64_t first, const std::stop_token& stop,
                       const std::function<void(const LogitBlock&)>& visit);

/// Negative log likelihoods, in nats, of the tokens that follow. Throws EngineError(Numerical) with the position
/// where one is NaN or infinite.
std::vector<float> nllOf(const LogitBlock& block);

}  // namespace kvist
