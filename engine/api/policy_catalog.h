// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/api/parameter_spec.h"

namespace kvist {

/// What the window, the command line and the documentation say about a policy.
struct PolicyInfo {
    std::string id;       ///< stable ("attention-score")
    std::string title;    ///< "Attention score"
    std::string group;    ///< what it decides by: "Baseline", "Positions", "Running attention", …
    std::string summary;  ///< the idea in one sentence
    std::string paper;    ///< "Xiao et al. 2023, arXiv 2309.17453, section 3.2", or empty
    bool usesBudget = true;
    bool isReconstruction = false;  ///< not the paper's own method but our reading of it
    std::vector<ParameterSpec> parameters;
};

/// Every policy that the engine can run, in the order in which lists show them. Implemented beside the policies
/// (engine/policies/policy_factory.cpp), where each declares itself; builds without the engine link a stand-in
/// from tests/support through the target kvist_catalog.
const std::vector<PolicyInfo>& policyCatalog();

/// Throws EngineError(InvalidInput) that names the nearest id where there is no such policy.
const PolicyInfo& policyInfo(const std::string& id);

/// Throws EngineError(InvalidInput) with the remedy where this budget (entries per layer and KV head) cannot
/// hold what the policy protects. `parameters` may be incomplete.
void checkBudget(const std::string& policy, const ParameterMap& parameters, std::int64_t budget);

}  // namespace kvist
