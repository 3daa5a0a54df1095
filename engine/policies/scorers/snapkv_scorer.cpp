// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/scorers/snapkv_scorer.h"

#include <ATen/ops/avg_pool1d.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/max_pool1d.h>

#include "engine/policies/protection.h"

namespace kvist {

std::vector<ParameterSpec> SnapKvScorer::ownParameters() {
    return {ParameterSpec::integer("window", "Window", 32, 1, 4096, "tokens",
                                   "Last tokens, whose queries judge the other entries and whose own entries stay."),
            ParameterSpec::integer("kernel", "Kernel", 5, 1, 255, "entries",
                                   "Neighbouring entries over which a vote is pooled; odd."),
            ParameterSpec::choice("pooling", "Pooling", "mean", {"mean", "max"},
                                  "How the votes of neighbours are pooled.")};
}

PolicyInfo SnapKvScorer::info() {
    std::vector<ParameterSpec> parameters = ownParameters();
    parameters.push_back(Protection::sinksParameter(0));
    parameters.push_back(Protection::intervalParameter(1));
    return {.id = "snapkv",
            .title = "SnapKV",
            .group = "Last queries",
            .summary =
                "Keeps the entries to which the last queries pay the most attention, pooled over neighbours. "
                "The paper compresses a prompt once; where a text is streamed this is done whenever room is needed.",
            .paper = "Li et al. 2024, arXiv 2404.14469, section 4",
            .usesBudget = true,
            .isReconstruction = true,
            .parameters = std::move(parameters)};
}

SnapKvScorer::SnapKvScorer(const ParameterMap& parameters)
    : m_window(integerOf(parameters, "window")),
      m_kernel(integerOf(parameters, "kernel") | 1),
      m_poolsMaximum(choiceOf(parameters, "pooling") == "max") {}

at::Tensor SnapKvScorer::scores(const LayerView& view, std::size_t set, const PlanContext&) const {
    const at::Tensor rows = view.attentionRows(set);  // [heads, group, queries, entries]
    const std::int64_t judged = rows.size(3) - rows.size(2);
    if (judged <= 0) {
        return rows.new_zeros({1, rows.size(3)});
    }
    const at::Tensor votes = rows.mean(2).narrow(2, 0, judged);
    const at::Tensor pooled = m_poolsMaximum ? at::max_pool1d(votes, m_kernel, 1, m_kernel / 2)
                                             : at::avg_pool1d(votes, m_kernel, 1, m_kernel / 2);
    return at::constant_pad_nd(pooled.mean(1), {0, rows.size(2)});
}

}  // namespace kvist
