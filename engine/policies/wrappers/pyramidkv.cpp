// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/wrappers/pyramidkv.h"

#include <cmath>

#include "engine/policies/scorers/snapkv_scorer.h"
#include "engine/policies/wrappers/base_parameter.h"

namespace kvist {

PolicyInfo PyramidBudgets::info(const std::vector<std::string>& bases) {
    std::vector<ParameterSpec> parameters{baseParameter("snapkv", bases).asOptional()};
    for (ParameterSpec spec : SnapKvScorer::ownParameters()) {
        spec.base = "snapkv";
        parameters.push_back(std::move(spec));
    }
    parameters.push_back(ParameterSpec::real("beta", "Beta", 20, 1, 1000, "",
                                             "The last layer gets the share 1 / beta of the mean budget beside the "
                                             "window; 1: all get the same."));
    parameters.push_back(Protection::sinksParameter(0));
    parameters.push_back(Protection::recentParameter(0).asOptional());
    parameters.push_back(Protection::intervalParameter(1));
    return {.id = "pyramidkv",
            .title = "PyramidKV",
            .group = "Last queries",
            .summary =
                "SnapKV, or any other scores, with more entries in lower layers and fewer in higher ones. The paper "
                "compresses a prompt once; where a text is streamed this is done whenever room is needed.",
            .paper = "Cai et al. 2024, arXiv 2406.02069, section 3.2",
            .usesBudget = true,
            .isReconstruction = true,
            .parameters = std::move(parameters)};
}

ScoredPolicy::Parts PyramidBudgets::parts(std::unique_ptr<Scorer> base, const ParameterMap& parameters) {
    return {.scorer = std::move(base),
            .protection = Protection::from(parameters),
            .budgets = std::make_unique<PyramidBudgets>(realOf(parameters, "beta"))};
}

std::int64_t PyramidBudgets::entries(std::int64_t budget, std::int64_t fixed, std::int64_t layer,
                                     std::int64_t layers) const {
    const auto mean = static_cast<double>(budget - fixed);
    const double least = mean / m_beta;
    if (least < 1 || layers < 2) {
        return budget;
    }
    const std::int64_t opposite = layers - 1 - layer;
    if (layer > opposite) {  // so that the roundings of opposite layers cancel
        return 2 * budget - entries(budget, fixed, opposite, layers);
    }
    const double most = 2 * mean - least;
    const double step = (most - least) / static_cast<double>(layers - 1);
    return layer == opposite ? budget : fixed + std::llrint(most - static_cast<double>(layer) * step);
}

}  // namespace kvist
