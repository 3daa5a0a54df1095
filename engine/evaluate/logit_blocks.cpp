// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluate/logit_blocks.h"

#include <algorithm>
#include <cmath>

#include "engine/api/engine_error.h"
#include "engine/model/memory_plan.h"
#include "engine/runtime/stop.h"

namespace kvist {

void forEachLogitBlock(const Decoder& decoder, const at::Tensor& hidden, std::span<const std::int32_t> next,
                       std::int64_t first, const std::stop_token& stop,
                       const std::function<void(const LogitBlock&)>& visit) {
    const std::int64_t rows = hidden.size(0);
    const std::int64_t block = std::max<std::int64_t>(1, kLogitBlockElements / decoder.config().vocabularySize);
    for (std::int64_t start = 0; start < rows; start += block) {
        throwIfStopped(stop);
        const std::int64_t count = std::min(block, rows - start);
        const at::Tensor logits = decoder.logits(hidden.narrow(0, start, count));
        visit({logits.scalar_type() == at::kDouble ? logits : logits.to(at::kFloat),
               next.subspan(static_cast<std::size_t>(start), static_cast<std::size_t>(count)), first + start});
    }
}

std::vector<float> nllOf(const LogitBlock& block) {
    const std::vector<std::int64_t> ids(block.next.begin(), block.next.end());
    const at::Tensor targets = at::tensor(ids).to(block.logits.device()).unsqueeze(1);
    const at::Tensor nll = block.logits.logsumexp(1) - block.logits.gather(1, targets).squeeze(1);
    const at::Tensor values = nll.to(at::kCPU, at::kFloat).contiguous();
    const auto* data = values.data_ptr<float>();
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (!std::isfinite(data[i])) {
            throw EngineError(ErrorKind::Numerical, "NaN or infinity in the logits at position " +
                                                        std::to_string(block.position + static_cast<std::int64_t>(i)) +
                                                        "; try dtype float32 or bfloat16");
        }
    }
    return {data, data + ids.size()};
}

}  // namespace kvist
