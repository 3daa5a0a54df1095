// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "engine/model/decoder.h"
#include "engine/policies/policy_factory.h"
#include "tests/engine/support/calibrations.h"

namespace kvist::testing {

/// A policy with parameters small enough for a tiny layer.
struct CatalogCase {
    std::string name;
    std::string id;
    ParameterMap parameters;

    std::unique_ptr<PruningPolicy> make(std::uint64_t seed = 3) const { return makePolicy(id, parameters, seed); }

    /// Calibrated for a decoder.
    std::unique_ptr<PruningPolicy> makeFor(const Decoder& decoder) const {
        auto policy = make();
        giveCalibration(*policy, decoder.config());
        return policy;
    }
};

inline void PrintTo(const CatalogCase& one, std::ostream* out) {
    *out << one.name;
}

/// Those of a policy's parameters that apply beside its base, small enough for a tiny layer.
inline ParameterMap smallParameters(const PolicyInfo& info, const ParameterMap& base) {
    static const ParameterMap small = {
        {"sinks", std::int64_t{2}},   {"recent", std::int64_t{3}}, {"window", std::int64_t{4}},
        {"queries", std::int64_t{8}}, {"kernel", std::int64_t{3}}, {"lag", std::int64_t{3}},
        {"length", std::int64_t{3}},  {"block", std::int64_t{6}},  {"interval", std::int64_t{1}}};
    ParameterMap parameters = base;
    for (const auto& [name, value] : small) {
        if (specOf(info.parameters, name, base) != nullptr) {
            parameters[name] = value;
        }
    }
    return parameters;
}

/// Every policy of the catalog that prunes what is streamed; wrappers with all of their bases, or with their own and
/// with h2o, whose scores are columns.
inline std::vector<CatalogCase> prunablePolicies(bool withAllBases) {
    std::vector<CatalogCase> cases;
    for (const PolicyInfo& info : policyCatalog()) {
        if (!info.usesBudget || makePolicy(info.id, {})->needsPrompt()) {
            continue;
        }
        const ParameterSpec* choice = specOf(info.parameters, "base", {});
        if (choice == nullptr) {
            cases.push_back({info.id, info.id, smallParameters(info, {})});
            continue;
        }
        for (const std::string& base : choice->choices) {
            if (withAllBases || base == "h2o" || ParameterValue(base) == choice->defaultValue) {
                cases.push_back({info.id + "_" + base, info.id, smallParameters(info, {{"base", base}})});
            }
        }
    }
    const ParameterMap compact = {{"positions", std::string("compact")}};
    cases.push_back({"window_compact", "window", smallParameters(policyInfo("window"), compact)});
    for (const char* sharing : {"layers", "heads"}) {
        const ParameterMap shared = {{"shared_sets", std::string(sharing)}};
        cases.push_back({std::string("triattention_") + sharing, "triattention",
                         smallParameters(policyInfo("triattention"), shared)});
    }
    for (CatalogCase& one : cases) {
        std::replace(one.name.begin(), one.name.end(), '-', '_');
    }
    return cases;
}

/// Those of them that plan a layer by its own history.
inline std::vector<CatalogCase> layerPolicies() {
    std::vector<CatalogCase> cases = prunablePolicies(true);
    std::erase_if(cases, [](const CatalogCase& one) { return one.make()->dependence() != PlanDependence::Layer; });
    return cases;
}

}  // namespace kvist::testing
