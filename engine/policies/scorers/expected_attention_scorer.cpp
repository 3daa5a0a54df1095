// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/scorers/expected_attention_scorer.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/diag.h>
#include <ATen/ops/matmul.h>

#include <algorithm>
#include <cmath>

#include "engine/policies/protection.h"

namespace kvist {
namespace {

/// Queries of the first tokens that are outliers and say nothing of later ones.
constexpr std::int64_t kOutliers = 4;

/// Mean of the rotations to some positions, [head_dim, head_dim].
at::Tensor meanRotation(const RotaryAngles& angles, at::ScalarType type) {
    const at::Tensor cos = at::diag(angles.cos.mean(0));
    const at::Tensor sin = at::diag(angles.sin.mean(0));
    return at::cat({at::cat({cos, -sin}, 1), at::cat({sin, cos}, 1)}).to(type);
}

}  // namespace

PolicyInfo ExpectedAttentionScorer::info() {
    return {.id = "expected-attention",
            .title = "Expected attention",
            .group = "Statistics",
            .summary =
                "Keeps the entries to which queries like the recent ones are expected to pay the most attention "
                "at the next positions, weighted by the norm of their values.",
            .paper = "Devoto et al. 2025, arXiv 2510.00636, section 3",
            .usesBudget = true,
            .isReconstruction = false,
            .parameters = {ParameterSpec::integer("queries", "Queries", 256, 2, 4096, "tokens",
                                                  "Last tokens, whose queries give mean and covariance."),
                           ParameterSpec::integer("future", "Future", 512, 1, 65536, "positions",
                                                  "Next positions at which queries are expected."),
                           ParameterSpec::boolean("covariance", "Covariance", true,
                                                  "Take the queries' covariance into account, not only their mean."),
                           ParameterSpec::real("epsilon", "Epsilon", 0, 0, 1, "",
                                               "Added to the expected attention before it is weighted."),
                           Protection::sinksParameter(4), Protection::recentParameter(0),
                           Protection::intervalParameter(1)}};
}

ExpectedAttentionScorer::ExpectedAttentionScorer(const ParameterMap& parameters)
    : m_window(integerOf(parameters, "queries")),
      m_future(integerOf(parameters, "future")),
      m_sinks(integerOf(parameters, "sinks")),
      m_usesCovariance(booleanOf(parameters, "covariance")),
      m_epsilon(realOf(parameters, "epsilon")) {}

at::Tensor ExpectedAttentionScorer::expectedLogits(const at::Tensor& keys, const at::Tensor& mean,
                                                   const at::Tensor& covariance) {
    const double size = static_cast<double>(keys.size(2));
    at::Tensor logits = at::matmul(mean, keys.transpose(1, 2)) / std::sqrt(size);
    if (covariance.defined()) {
        const at::Tensor grouped = keys.unsqueeze(1);  // [heads, 1, entries, head_dim]
        logits += (at::matmul(grouped, covariance) * grouped).sum(-1) / (2 * size);
    }
    return logits;
}

at::Tensor ExpectedAttentionScorer::scores(const LayerView& view, std::size_t set, const PlanContext& context) const {
    const std::int64_t sinks = std::min(m_sinks, view.count(set) - 1);
    const at::Tensor keys = view.keys(set).narrow(1, sinks, view.count(set) - sinks);
    const at::Tensor values = view.values(set).narrow(1, sinks, view.count(set) - sinks);
    const std::int64_t heads = keys.size(0);
    const std::int64_t size = keys.size(2);

    const at::Tensor all = view.unrotatedQueries();
    const std::int64_t outliers = std::clamp<std::int64_t>(kOutliers - view.firstQuery(), 0, all.size(0) - 1);
    const std::int64_t group = all.size(1) / (heads * static_cast<std::int64_t>(view.sets()));
    const at::Tensor queries = all.narrow(0, outliers, all.size(0) - outliers)
                                   .narrow(1, static_cast<std::int64_t>(set) * heads * group, heads * group)
                                   .transpose(0, 1);  // [query heads of the set, queries, head_dim]
    const at::Tensor rotation = meanRotation(view.angles(context.tokensSeen, m_future), keys.scalar_type());
    const at::Tensor centre = queries.mean(1, true);
    const at::Tensor mean = at::matmul(centre, rotation.t()).view({heads, group, size});
    at::Tensor covariance;
    if (m_usesCovariance) {
        const at::Tensor turned = at::matmul(queries - centre, rotation.t());
        covariance = (at::matmul(turned.transpose(1, 2), turned) / static_cast<double>(queries.size(1)))
                         .view({heads, group, size, size});
    }
    const at::Tensor expected = expectedLogits(keys, mean, covariance).softmax(-1).mean(1);  // [heads, entries]
    return at::constant_pad_nd((expected + m_epsilon) * values.norm(2, {-1}), {sinks, 0});
}

}  // namespace kvist
