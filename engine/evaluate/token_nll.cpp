// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluate/token_nll.h"

#include "engine/evaluate/logit_blocks.h"

namespace kvist {

std::vector<float> tokenNll(const Decoder& decoder, const at::Tensor& hidden, std::span<const std::int32_t> next,
                            std::int64_t first, const std::stop_token& stop) {
    std::vector<float> result;
    result.reserve(next.size());
    forEachLogitBlock(decoder, hidden, next, first, stop, [&](const LogitBlock& block) {
        const std::vector<float> nll = nllOf(block);
        result.insert(result.end(), nll.begin(), nll.end());
    });
    return result;
}

}  // namespace kvist
