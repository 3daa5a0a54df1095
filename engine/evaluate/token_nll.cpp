// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluate/token_nll.h"

#include <algorithm>
#include <cmath>

#include "engine/api/engine_error.h"
#include "engine/runtime/stop.h"

namespace kvist {
namespace {

/// Elements of logits that are held at a time: 64 MiB in float32.
constexpr std::int64_t kLogitElements = std::int64_t{16} << 20;

}  // namespace

std::vector<float> tokenNll(const Decoder& decoder, const at::Tensor& hidden, std::span<const std::int32_t> next,
                            std::int64_t first, const std::stop_token& stop) {
    const std::int64_t rows = hidden.size(0);
    const std::int64_t block = std::max<std::int64_t>(1, kLogitElements / decoder.config().vocabularySize);
    std::vector<float> result;
    result.reserve(static_cast<std::size_t>(rows));
    for (std::int64_t start = 0; start < rows; start += block) {
        throwIfStopped(stop);
        const std::int64_t count = std::min(block, rows - start);
        at::Tensor logits = decoder.logits(hidden.narrow(0, start, count));
        if (logits.scalar_type() != at::kDouble) {
            logits = logits.to(at::kFloat);
        }
        const std::vector<std::int64_t> ids(next.begin() + start, next.begin() + start + count);
        const at::Tensor targets = at::tensor(ids).to(logits.device()).unsqueeze(1);
        const at::Tensor nll = logits.logsumexp(1) - logits.gather(1, targets).squeeze(1);
        const at::Tensor values = nll.to(at::kCPU, at::kFloat).contiguous();
        const auto* data = values.data_ptr<float>();
        for (std::int64_t i = 0; i < count; ++i) {
            if (!std::isfinite(data[i])) {
                throw EngineError(ErrorKind::Numerical, "NaN or infinity in the logits at position " +
                                                            std::to_string(first + start + i) +
                                                            "; try dtype float32 or bfloat16");
            }
        }
        result.insert(result.end(), data, data + count);
    }
    return result;
}

}  // namespace kvist
