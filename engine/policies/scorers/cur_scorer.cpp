// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/scorers/cur_scorer.h"

#include <ATen/ops/constant_pad_nd.h>

#include "engine/policies/protection.h"

namespace kvist {
namespace {

/// [heads, entries, head_dim] → each entry's share of the squared norms of its stretch, [heads, entries].
at::Tensor leverage(const at::Tensor& rows, std::int64_t length) {
    const at::Tensor squares = rows.square().sum(-1);
    const std::int64_t count = squares.size(1);
    const std::int64_t rest = (length - count % length) % length;
    const at::Tensor stretches = at::constant_pad_nd(squares, {0, rest}).view({squares.size(0), -1, length});
    const at::Tensor shares = stretches / stretches.sum({-1}, true).clamp_min(1e-30);
    return shares.view({squares.size(0), -1}).narrow(1, 0, count);
}

}  // namespace

PolicyInfo CurScorer::info() {
    return {.id = "cur",
            .title = "CUR",
            .group = "Keys and values alone",
            .summary = "Keeps the entries whose keys and values are large among their neighbours.",
            .paper = "Sengupta et al. 2025, arXiv 2509.15038, section 3",
            .usesBudget = true,
            .isReconstruction = false,
            .parameters = {ParameterSpec::integer("length", "Length", 16, 1, 4096, "entries",
                                                  "Length of the stretches within which entries are compared."),
                           ParameterSpec::choice("leverage", "Leverage", "product", {"product", "mean", "key", "value"},
                                                 "How the shares of key and value make a score."),
                           Protection::sinksParameter(4), Protection::recentParameter(0),
                           Protection::intervalParameter(1)}};
}

CurScorer::CurScorer(const ParameterMap& parameters)
    : m_length(integerOf(parameters, "length")), m_leverage(choiceOf(parameters, "leverage")) {}

at::Tensor CurScorer::scores(const LayerView& view, std::size_t set, const PlanContext&) const {
    const at::Tensor keys = leverage(view.keys(set), m_length);
    const at::Tensor values = leverage(view.values(set), m_length);
    const at::Tensor both = m_leverage == "key"     ? keys
                            : m_leverage == "value" ? values
                            : m_leverage == "mean"  ? (keys + values) / 2
                                                    : keys * values;
    return both / both.sum({-1}, true).clamp_min(1e-30);
}

}  // namespace kvist
