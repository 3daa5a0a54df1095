// SPDX-License-Identifier: GPL-3.0-or-later
// The policy catalog of builds without the engine (thread sanitizer): the article's policies by name.
#include "engine/api/catalog_entry.h"
#include "engine/api/engine_error.h"
#include "engine/api/policy_catalog.h"

namespace kvist {

const std::vector<PolicyInfo>& policyCatalog() {
    const auto sinks = ParameterSpec::integer("sinks", "Sinks", 4, 0, 4096, "entries", "First entries, always kept.");
    const auto recent = ParameterSpec::integer("recent", "Recent", 32, 0, 1 << 20, "entries", "Last entries.");
    static const std::vector<PolicyInfo> catalog = {
        {.id = "full",
         .title = "Full cache",
         .group = "Baseline",
         .summary = {},
         .paper = {},
         .usesBudget = false,
         .parameters = {}},
        {.id = "window", .title = "Window", .group = "Positions", .summary = {}, .paper = {}, .parameters = {sinks}},
        {.id = "attention-score",
         .title = "Attention score",
         .group = "Running attention",
         .summary = {},
         .paper = {},
         .parameters = {sinks, recent}},
    };
    return catalog;
}

const PolicyInfo& policyInfo(const std::string& id) {
    return catalogEntry(policyCatalog(), "policy", id, [](const PolicyInfo& info) { return info.id; });
}

void checkBudget(const std::string& policy, const ParameterMap& parameters, std::int64_t budget) {
    const PolicyInfo& info = policyInfo(policy);
    const ParameterMap values = completed(info.parameters, parameters, "policy " + policy);
    if (info.usesBudget && budget <= integerOf(values, "sinks")) {
        throw EngineError(ErrorKind::InvalidInput, "budget " + std::to_string(budget) + " does not hold the sinks");
    }
}

void checkProtocol(const RunConfig&) {}

const PolicyInfo& storeInfo(const std::string& store, const std::string&) {
    throw EngineError(ErrorKind::InvalidInput, "there is no store " + store);
}

std::int64_t heldBytes(const RunConfig&, const ModelInfo& model, int elementBytes, std::int64_t entries) {
    return entries * model.kvBytesPerToken(elementBytes);
}

}  // namespace kvist
