// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/scorers/triattention_scorer.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/hypot.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>

#include "engine/api/engine_error.h"
#include "engine/policies/protection.h"

namespace kvist {
namespace {

constexpr double kLeastDeviation = 1e-6;

/// 1, 2, 4, … up to the largest offset.
std::vector<std::int64_t> offsetsUpTo(std::int64_t largest) {
    std::vector<std::int64_t> offsets;
    for (std::int64_t offset = 1; offset <= largest; offset *= 2) {
        offsets.push_back(offset);
    }
    return offsets;
}

}  // namespace

PolicyInfo TriAttentionScorer::info() {
    return {.id = "triattention",
            .title = "TriAttention",
            .group = "Statistics",
            .summary =
                "Keeps the entries to which the model's average query is expected to pay attention at near and far "
                "positions to come.",
            .paper = "Mao et al. 2026, arXiv 2604.04921, section 3, collapsed as in arXiv 2607.13051",
            .usesBudget = true,
            .isReconstruction = false,
            .parameters = {ParameterSpec::integer("offset", "Largest offset", 65536, 1, 1 << 20, "positions",
                                                  "Queries are expected 1, 2, 4, … positions ahead, up to this."),
                           ParameterSpec::boolean("normalise", "Normalise", true,
                                                  "Compare the scores of a group's heads as deviations from each "
                                                  "head's mean."),
                           Protection::sinksParameter(0), Protection::recentParameter(0),
                           Protection::intervalParameter(128)}};
}

at::Tensor TriAttentionScorer::expectedLogits(const at::Tensor& keys, const at::Tensor& statistics,
                                              const at::Tensor& turn, double factor) {
    const std::int64_t bands = keys.size(2) / 2;
    const at::Tensor real = statistics.select(2, 0);  // [heads, group, bands]
    const at::Tensor imaginary = statistics.select(2, 1);
    const at::Tensor query = at::cat({real * turn[0] - imaginary * turn[1], real * turn[1] + imaginary * turn[0]}, 2);
    const at::Tensor spread = (statistics.select(2, 2) - at::hypot(real, imaginary)) * factor;
    const at::Tensor sizes = at::hypot(keys.narrow(2, 0, bands), keys.narrow(2, bands, bands));
    return at::matmul(query, keys.transpose(1, 2)) + at::matmul(spread, sizes.transpose(1, 2));
}

at::Tensor TriAttentionScorer::scores(const LayerView& view, std::size_t set, const PlanContext& context) const {
    if (!m_statistics.defined()) {
        throw EngineError(ErrorKind::Internal, "triattention was not calibrated");
    }
    const at::Tensor keys = view.keys(set);
    const std::int64_t heads = keys.size(0);
    const std::int64_t group = m_statistics.size(1) / (heads * static_cast<std::int64_t>(view.sets()));
    const at::Tensor statistics = m_statistics.select(0, context.layer)
                                      .narrow(0, static_cast<std::int64_t>(set) * heads * group, heads * group)
                                      .view({heads, group, 3, keys.size(2) / 2})
                                      .to(keys.options());
    const at::Tensor ahead = at::tensor(offsetsUpTo(m_offset), at::kLong) + (context.tokensSeen - 1);
    const RotaryAngles angles = view.angles(ahead);
    // Angles may carry a factor, which the cached keys have already.
    const double factor = at::hypot(angles.cos[0][0], angles.sin[0][0]).item<double>();
    const at::Tensor turn = at::stack({angles.cos.mean(0), angles.sin.mean(0)}).to(keys.options());
    at::Tensor logits = expectedLogits(keys, statistics, turn, factor);
    if (m_normalises) {
        const at::Tensor centred = logits - logits.mean(-1, true);
        logits = centred / centred.square().mean(-1, true).sqrt().clamp_min(kLeastDeviation);
    }
    return logits.amax({1});
}

}  // namespace kvist
