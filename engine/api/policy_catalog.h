// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/api/model_info.h"
#include "engine/api/parameter_spec.h"
#include "engine/api/run_config.h"

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
    bool isStore = false;  ///< changes how entries are held, and may do so for other policies (RunConfig::store)
    std::vector<ParameterSpec> parameters;
    std::string needs = {};  ///< what it must be shown ("the queries of the last 32 tokens")
    std::string saves = {};  ///< which bytes get fewer
    std::string costs = {};  ///< what it keeps and computes for that
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

/// Throws EngineError(InvalidInput) with the remedy where the configuration's policy needs a whole prompt and the
/// evaluation's protocol streams.
void checkProtocol(const RunConfig& config);

/// The store's entry of the catalog. Throws EngineError(InvalidInput) where there is no such store, or where
/// `policy` is a store itself.
const PolicyInfo& storeInfo(const std::string& store, const std::string& policy);

/// Bytes of the keys and values of a cache that holds `entries` in each layer and KV head, as the configuration's
/// policy and store hold them; `elementBytes` of one number in full precision. Throws as storeInfo().
std::int64_t heldBytes(const RunConfig& config, const ModelInfo& model, int elementBytes, std::int64_t entries);

}  // namespace kvist
