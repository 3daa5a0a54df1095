// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/sweep_axes.h"

#include <algorithm>

#include "engine/api/engine_error.h"
#include "experiments/result.h"
#include "experiments/value_range.h"

namespace kvist::experiments {
namespace {

/// The combinations with each value of one axis. One to which the parameter does not apply, because it belongs to
/// another base, stays as it is.
std::vector<ParameterMap> crossed(const std::vector<ParameterMap>& combinations,
                                  const std::vector<ParameterSpec>& specs, const std::string& name,
                                  const std::string& text, const std::string& field) {
    std::vector<ParameterMap> result;
    bool appliesSomewhere = false;
    for (const ParameterMap& parameters : combinations) {
        const ParameterSpec* spec = specOf(specs, name, parameters);
        if (spec == nullptr) {
            result.push_back(parameters);
            continue;
        }
        appliesSomewhere = true;
        for (const ParameterValue& value : valueOrThrow(expandedValues(*spec, text), field + "." + name)) {
            result.push_back(parameters);
            result.back()[name] = value;
        }
    }
    if (!appliesSomewhere) {
        result.front()[name] = text;  // completed() refuses it by name
    }
    return result;
}

/// Every combination of the axes, defaults filled in.
std::vector<ParameterMap> combinations(const std::vector<ParameterSpec>& specs, const AxisMap& axes,
                                       const std::string& owner, const std::string& field) {
    std::vector<ParameterMap> result(1);
    const auto base = axes.find("base");  // decides which of the others apply
    if (base != axes.end()) {
        result = crossed(result, specs, base->first, base->second, field);
    }
    for (auto axis = axes.begin(); axis != axes.end(); ++axis) {
        if (axis != base) {
            result = crossed(result, specs, axis->first, axis->second, field);
        }
    }
    try {
        for (ParameterMap& parameters : result) {
            parameters = completed(specs, parameters, owner);
        }
    } catch (const EngineError& error) {
        throw RefusedInput(field, error.what());
    }
    return result;
}

template <typename Info>
const Info& infoOf(const Info& (*info)(const std::string&), const std::string& id, const std::string& field) {
    try {
        return info(id);
    } catch (const EngineError& error) {
        throw RefusedInput(field + ".id", error.what());
    }
}

/// Without scores there is one context for each warm count.
std::vector<SweepAxes::Context> contextsOf(const Sweep& sweep, bool usesScore) {
    if (sweep.contexts.empty()) {
        throw RefusedInput("contexts", "no context given; add one, such as 1024 tokens to warm and 512 to score");
    }
    std::vector<SweepAxes::Context> contexts;
    for (std::size_t i = 0; i < sweep.contexts.size(); ++i) {
        const std::string field = "contexts[" + std::to_string(i) + "].";
        const auto& [warmText, scoreText] = sweep.contexts[i];
        const auto warms = valueOrThrow(expandedIntegers(warmText, 0, kMostTokens), field + "warm");
        const auto scores = valueOrThrow(expandedIntegers(scoreText, 1, kMostTokens), field + "score");
        for (const std::int64_t warm : warms) {
            for (const std::int64_t score : scores) {
                const SweepAxes::Context context{.warm = warm, .score = usesScore ? score : 0};
                if (std::find(contexts.begin(), contexts.end(), context) == contexts.end()) {
                    contexts.push_back(context);
                }
            }
        }
    }
    return contexts;
}

std::vector<SweepAxes::Context> depthsOf(const SweepEvaluation& evaluation, const std::string& field) {
    std::vector<SweepAxes::Context> depths;
    for (const std::int64_t depth :
         valueOrThrow(expandedIntegers(evaluation.depths, 1, kMostTokens), field + ".depths")) {
        depths.push_back({.depth = depth});
    }
    return depths;
}

/// The sweep's contexts, the evaluation's depths, or one place for what its parameters say.
std::vector<SweepAxes::Context> readBy(const EvaluationInfo& info, const SweepEvaluation& evaluation,
                                       const Sweep& sweep, const std::string& field) {
    if (info.usesDepths) {
        return depthsOf(evaluation, field);
    }
    return info.usesContexts ? contextsOf(sweep, info.usesScore) : std::vector<SweepAxes::Context>(1);
}

/// Every combination of a store's parameters; one empty map without a store.
std::vector<ParameterMap> storesOf(const SweepPolicy& policy, const std::string& field) {
    if (policy.store.empty()) {
        return std::vector<ParameterMap>(1);
    }
    try {
        const PolicyInfo& info = storeInfo(policy.store, policy.id);
        return combinations(info.parameters, policy.storeParameters, "store " + info.id, field);
    } catch (const EngineError& error) {
        throw RefusedInput(field + ".id", error.what());
    }
}

}  // namespace

SweepAxes axesOf(const Sweep& sweep) {
    SweepAxes axes;
    for (std::size_t i = 0; i < sweep.policies.size(); ++i) {
        const SweepPolicy& policy = sweep.policies[i];
        const std::string field = "policies[" + std::to_string(i) + "]";
        const PolicyInfo& info = infoOf(policyInfo, policy.id, field);
        axes.policies.push_back(
            {&info, combinations(info.parameters, policy.parameters, "policy " + info.id, field + ".parameters"),
             policy.store, storesOf(policy, field + ".store")});
    }
    for (std::size_t i = 0; i < sweep.evaluations.size(); ++i) {
        const SweepEvaluation& evaluation = sweep.evaluations[i];
        const std::string field = "evaluations[" + std::to_string(i) + "]";
        const EvaluationInfo& info = infoOf(evaluationInfo, evaluation.id, field);
        axes.evaluations.push_back(
            {&info, readBy(info, evaluation, sweep, field),
             combinations(info.parameters, evaluation.parameters, "evaluation " + info.id, field)});
    }
    if (axes.policies.empty()) {
        throw RefusedInput("policies", "no policy chosen; choose at least one");
    }
    if (axes.evaluations.empty()) {
        throw RefusedInput("evaluations", "no evaluation chosen; choose at least one");
    }
    if (std::any_of(axes.policies.begin(), axes.policies.end(), [](const auto& p) { return p.info->usesBudget; })) {
        axes.budgets = valueOrThrow(parseBudgets(sweep.budgets), "budgets");
    }
    return axes;
}

}  // namespace kvist::experiments
