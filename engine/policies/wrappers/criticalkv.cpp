// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/wrappers/criticalkv.h"

#include <ATen/ops/matmul.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <limits>

#include "engine/policies/wrappers/base_parameter.h"

namespace kvist {

PolicyInfo CriticalScorer::info(const std::vector<std::string>& bases) {
    return {.id = "criticalkv",
            .title = "CriticalKV",
            .group = "Keys and values alone",
            .summary =
                "Chooses a part of the entries by another policy's scores, the rest by these scores times the "
                "norm of the projected value. The paper compresses a prompt once; where a text is streamed this is "
                "done whenever room is needed.",
            .paper = "Feng et al. 2025, arXiv 2502.03805, algorithm 1",
            .usesBudget = true,
            .isReconstruction = true,
            .parameters = {
                baseParameter("snapkv", bases),
                ParameterSpec::real("first_share", "First share", 0.5, 0, 1, "",
                                    "Share of the budget that is chosen by the plain scores."),
                ParameterSpec::real("epsilon", "Epsilon", 1e-4, 0, 1, "", "Added to a score before it is weighted."),
                Protection::sinksParameter(0), Protection::recentParameter(0), Protection::intervalParameter(1)}};
}

ScoredPolicy::Parts CriticalScorer::parts(std::unique_ptr<Scorer> base, const ParameterMap& parameters) {
    const Protection protection = Protection::from(parameters);
    return {.scorer = std::make_unique<CriticalScorer>(std::move(base), protection, realOf(parameters, "first_share"),
                                                       realOf(parameters, "epsilon")),
            .protection = protection};
}

CriticalScorer::CriticalScorer(std::unique_ptr<Scorer> base, const Protection& protection, double share, double epsilon)
    : m_base(std::move(base)), m_protection(protection), m_share(share), m_epsilon(epsilon) {
    m_protection.recent = std::max(m_protection.recent, m_base->window());
}

PolicyNeeds CriticalScorer::needs() const {
    PolicyNeeds needs = m_base->needs();
    ++needs.columns;
    needs.outputWeight = true;
    return needs;
}

at::Tensor CriticalScorer::outputNorms(const at::Tensor& values, const at::Tensor& weight) {
    const std::int64_t size = values.size(2);
    const std::int64_t group = weight.size(1) / (values.size(0) * size);
    const at::Tensor blocks = weight.t().view({values.size(0), group, size, weight.size(0)});
    const auto type = values.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
    at::Tensor sum = at::zeros({values.size(0), values.size(1)}, values.options().dtype(type));
    for (std::int64_t i = 0; i < group; ++i) {
        sum += at::matmul(values, blocks.select(1, i)).abs().sum({-1}, false, type);
    }
    return sum / static_cast<double>(group);
}

void CriticalScorer::observe(const LayerObservation& observation) {
    m_base->observe(observation);
    const LayerCache& cache = observation.cache;
    const auto heads = static_cast<std::int64_t>(cache.held().size());
    const auto sets = static_cast<std::int64_t>(cache.indexes());
    const at::Tensor norms = outputNorms(cache.latestValues(observation.chunk), observation.outputWeight)
                                 .view({sets, heads / sets, observation.chunk})
                                 .mean(1)
                                 .to(at::kCPU, at::kFloat)
                                 .contiguous();
    for (std::int64_t set = 0; set < sets; ++set) {
        const auto column = observation.cache.index(static_cast<std::size_t>(set)).column(normColumn());
        std::copy_n(norms.data_ptr<float>() + set * observation.chunk, observation.chunk,
                    column.end() - observation.chunk);
    }
}

at::Tensor CriticalScorer::scores(const LayerView& view, std::size_t set, const PlanContext& context) const {
    const std::int64_t count = view.count(set);
    const at::Tensor plain = m_base->scores(view, set, context).mean(0);  // [entries]
    const at::Tensor norms = at::tensor(view.column(set, normColumn(), 0, count)).to(plain.options());
    at::Tensor scores = (plain + m_epsilon) * norms;
    const std::int64_t recent = m_protection.recentOf(context.target);
    const std::int64_t open = std::max<std::int64_t>(0, count - m_protection.sinks - recent);
    const auto share = static_cast<std::int64_t>(m_share * static_cast<double>(context.target));
    const std::int64_t first = std::clamp<std::int64_t>(share - m_protection.sinks - recent, 0, open);
    if (first > 0) {
        const at::Tensor order = plain.narrow(0, m_protection.sinks, open).argsort(true, 0, true);
        scores.index_fill_(0, order.narrow(0, 0, first) + m_protection.sinks, std::numeric_limits<float>::infinity());
    }
    return scores.unsqueeze(0);
}

}  // namespace kvist
