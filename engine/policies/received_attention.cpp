// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/received_attention.h"

#include <algorithm>
#include <functional>

namespace kvist {

void addReceivedAttention(const LayerObservation& observation, std::size_t column) {
    const auto sets = static_cast<std::int64_t>(observation.cache.indexes());
    const at::Tensor sums = observation.attentionMass.view({sets, -1, observation.attentionMass.size(1)}).sum(1);
    const double heads = static_cast<double>(observation.queryHeads / sets);
    const at::Tensor means = (sums / heads).to(at::kCPU, at::kFloat).contiguous();  // [sets, slots]
    for (std::int64_t set = 0; set < sets; ++set) {
        const auto received = observation.cache.index(static_cast<std::size_t>(set)).column(column);
        const auto* values = means.data_ptr<float>() + set * means.size(1);
        std::transform(received.begin(), received.end(), values, received.begin(), std::plus<>());
    }
}

}  // namespace kvist
