// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/scorers/finch_scorer.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/constant_pad_nd.h>

#include <algorithm>

#include "engine/policies/protection.h"

namespace kvist {

PolicyInfo FinchScorer::info() {
    return {.id = "finch",
            .title = "FINCH",
            .group = "Last queries",
            .summary =
                "Keeps the entries to which the question at the prompt's end pays the most attention. The paper "
                "turns the keys that stay to new positions; here they keep their own.",
            .paper = "Corallo and Papotti 2024, arXiv 2408.00167, section 3",
            .usesBudget = true,
            .isReconstruction = true,
            .parameters = {ParameterSpec::integer("window", "Window", 32, 1, 4096, "tokens",
                                                  "Last tokens, whose entries stay; those of them that the prompt "
                                                  "marks as the question judge, or else all."),
                           ParameterSpec::boolean("normalise", "Normalise", true,
                                                  "Weight each query by the number of entries before it."),
                           Protection::sinksParameter(0), Protection::intervalParameter(1)}};
}

at::Tensor FinchScorer::scores(const LayerView& view, std::size_t set, const PlanContext& context) const {
    at::Tensor rows = view.attentionRows(set);  // [heads, group, queries, entries]
    const std::int64_t queries = rows.size(2);
    const std::int64_t judged = rows.size(3) - queries;
    if (judged <= 0) {
        return rows.new_zeros({1, rows.size(3)});
    }
    const std::int64_t first = view.firstQuery();
    if (m_normalises) {
        const at::Tensor at = at::arange(first, first + queries, at::kLong).unsqueeze(1);
        const at::Tensor before = view.positions(set).unsqueeze(0).lt(at).sum(1);  // [queries]
        rows = rows * before.unsqueeze(1).to(rows.options());
    }
    const std::int64_t begin = std::clamp<std::int64_t>(context.question.first - first, 0, queries);
    const std::int64_t end = std::clamp<std::int64_t>(context.question.end - first, 0, queries);
    const at::Tensor judging = begin < end ? rows.narrow(2, begin, end - begin) : rows;
    return at::constant_pad_nd(judging.mean(2).narrow(2, 0, judged).mean(1), {0, queries});
}

}  // namespace kvist
