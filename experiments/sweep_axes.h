// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/api/evaluation_catalog.h"
#include "engine/api/parameter_spec.h"
#include "engine/api/policy_catalog.h"
#include "experiments/budget.h"
#include "experiments/sweep.h"

namespace kvist::experiments {

/// A sweep with every axis expanded and checked against the catalogs.
struct SweepAxes {
    struct Policy {
        const PolicyInfo* info;
        std::vector<ParameterMap> parameters;       ///< one per combination, complete
        std::string store;                          ///< or empty
        std::vector<ParameterMap> storeParameters;  ///< one per combination, complete; one empty map without a store
    };
    struct Context {
        std::int64_t warm = 0;
        std::int64_t score = 0;
        std::int64_t depth = 0;  ///< of a speed evaluation, which has neither warm nor score

        bool operator==(const Context&) const = default;
    };
    struct Evaluation {
        const EvaluationInfo* info;
        std::vector<Context> contexts;
        std::vector<ParameterMap> parameters;
    };
    std::vector<Policy> policies;
    std::vector<Budget> budgets;
    std::vector<Evaluation> evaluations;
};

/// Throws RefusedInput that names the field ("policies[1].parameters.sinks") and what would be right.
SweepAxes axesOf(const Sweep& sweep);

}  // namespace kvist::experiments
