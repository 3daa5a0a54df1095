// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/scorers/lagkv_scorer.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/where.h>

#include "engine/policies/protection.h"

namespace kvist {
namespace {

/// Weights of the rows of all partitions but the last, [heads, partitions − 1, lag], from
/// [heads, partitions, lag, head_dim].
at::Tensor spread(const at::Tensor& states) {
    const std::int64_t judged = states.size(1) - 1;
    const at::Tensor next = states.narrow(1, 1, judged);
    const at::Tensor low = next.amin({2}, true);
    const at::Tensor range = next.amax({2}, true) - low;
    const at::Tensor placed = (states.narrow(1, 0, judged) - low) / at::where(range.gt(0), range, 1.0);
    return placed.std(-1).softmax(-1);
}

}  // namespace

PolicyInfo LagKvScorer::info() {
    return {.id = "lagkv",
            .title = "LagKV",
            .group = "Keys and values alone",
            .summary =
                "Judges each stretch of entries by how far its keys and values stray from the range of the next "
                "stretch. With room for fewer than two stretches it is a window. The paper compresses each "
                "stretch once; here all are ranked whenever room is needed.",
            .paper = "Liang et al. 2025, arXiv 2504.04704, section 3",
            .usesBudget = true,
            .isReconstruction = true,
            .parameters = {ParameterSpec::integer("lag", "Lag", 128, 2, 4096, "entries", "Length of a stretch."),
                           Protection::sinksParameter(4), Protection::recentParameter(0),
                           Protection::intervalParameter(1)}};
}

at::Tensor LagKvScorer::scores(const LayerView& view, std::size_t set, const PlanContext&) const {
    const std::int64_t count = view.count(set);
    const std::int64_t behind = count - m_sinks;
    if (behind < 2 * m_lag) {
        return at::arange(count, at::kFloat).unsqueeze(0);
    }
    const std::int64_t partitions = behind / m_lag;
    const auto parts = [&](const at::Tensor& rows) {
        return rows.narrow(1, m_sinks, partitions * m_lag).reshape({rows.size(0), partitions, m_lag, rows.size(2)});
    };
    const at::Tensor weights = (spread(parts(view.keys(set))) + spread(parts(view.values(set)))) / 2;
    const at::Tensor ranks =
        weights.argsort(true, -1, false).argsort(true, -1, false).to(at::kFloat) / static_cast<double>(m_lag);
    const std::int64_t heads = ranks.size(0);
    const std::int64_t judged = (partitions - 1) * m_lag;
    return at::cat({at::ones({heads, m_sinks}, ranks.options()), ranks.reshape({heads, judged}),
                    at::ones({heads, behind - judged}, ranks.options())},
                   1);
}

}  // namespace kvist
