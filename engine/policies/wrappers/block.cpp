// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/wrappers/block.h"

#include "engine/policies/wrappers/base_parameter.h"

namespace kvist {

PolicyInfo BlockWise::info(const std::vector<std::string>& bases) {
    return {.id = "block",
            .title = "Block-wise",
            .group = "Chunks",
            .summary = "Evicts a block of entries at a time, by the scores of another policy.",
            .paper = "Park et al. 2025, arXiv 2504.15364, section 3.3",
            .usesBudget = true,
            .isReconstruction = false,
            .parameters = {baseParameter("keydiff", bases),
                           ParameterSpec::integer("block", "Block", 128, 1, 4096, "tokens",
                                                  "Tokens that an eviction makes room for, at most half the budget."),
                           Protection::sinksParameter(0), Protection::recentParameter(0)}};
}

ScoredPolicy::Parts BlockWise::parts(std::unique_ptr<Scorer> base, const ParameterMap& parameters) {
    Protection protection = Protection::from(parameters);
    protection.interval = integerOf(parameters, "block");
    return {.scorer = std::move(base), .protection = protection};
}

}  // namespace kvist
