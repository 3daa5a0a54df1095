// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "engine/policies/policy_factory.h"

namespace kvist::testing {

/// A policy with parameters small enough for a tiny layer.
struct CatalogCase {
    std::string name;
    std::string id;
    ParameterMap parameters;

    std::unique_ptr<PruningPolicy> make(std::uint64_t seed = 3) const { return makePolicy(id, parameters, seed); }
};

inline void PrintTo(const CatalogCase& one, std::ostream* out) {
    *out << one.name;
}

/// Every policy of the catalog that prunes; wrappers with all of their bases, or with their own and with h2o, whose
/// scores are columns.
inline std::vector<CatalogCase> prunablePolicies(bool withAllBases) {
    const ParameterMap small = {
        {"sinks", std::int64_t{2}},   {"recent", std::int64_t{3}}, {"window", std::int64_t{4}},
        {"queries", std::int64_t{8}}, {"kernel", std::int64_t{3}}, {"lag", std::int64_t{3}},
        {"length", std::int64_t{3}},  {"block", std::int64_t{6}},  {"interval", std::int64_t{1}}};
    std::vector<CatalogCase> cases;
    for (const PolicyInfo& info : policyCatalog()) {
        if (!info.usesBudget) {
            continue;
        }
        CatalogCase next{info.id, info.id, {}};
        std::vector<std::string> bases;
        ParameterValue defaultBase;
        for (const ParameterSpec& spec : info.parameters) {
            if (spec.name == "base") {
                bases = spec.choices;
                defaultBase = spec.defaultValue;
            } else if (small.contains(spec.name)) {
                next.parameters[spec.name] = small.at(spec.name);
            }
        }
        for (const std::string& base : bases) {
            if (!withAllBases && base != "h2o" && base != std::get<std::string>(defaultBase)) {
                continue;
            }
            next.name = info.id + "_" + base;
            next.parameters["base"] = base;
            cases.push_back(next);
        }
        if (bases.empty()) {
            cases.push_back(next);
        }
    }
    for (CatalogCase& one : cases) {
        std::replace(one.name.begin(), one.name.end(), '-', '_');
    }
    return cases;
}

}  // namespace kvist::testing
