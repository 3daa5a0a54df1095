// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/policy_factory.h"

#include "engine/api/engine_error.h"
#include "engine/api/nearest_name.h"
#include "engine/policies/attention_score_policy.h"
#include "engine/policies/full_policy.h"
#include "engine/policies/window_policy.h"

namespace kvist {
namespace {

struct Entry {
    PolicyInfo info;
    std::unique_ptr<PruningPolicy> (*make)(const ParameterMap&);
};

template <typename Policy>
Entry entry() {
    return {Policy::info(), [](const ParameterMap& parameters) -> std::unique_ptr<PruningPolicy> {
                if constexpr (std::is_default_constructible_v<Policy>) {
                    return std::make_unique<Policy>();
                } else {
                    return std::make_unique<Policy>(parameters);
                }
            }};
}

/// The list of policies. A new one is added here and nowhere else.
const std::vector<Entry>& entries() {
    static const std::vector<Entry> list = {
        entry<FullPolicy>(),
        entry<WindowPolicy>(),
        entry<AttentionScorePolicy>(),
    };
    return list;
}

const Entry& find(const std::string& id) {
    std::vector<std::string> ids;
    for (const Entry& entry : entries()) {
        if (entry.info.id == id) {
            return entry;
        }
        ids.push_back(entry.info.id);
    }
    const std::string near = nearestName(id, ids);
    throw EngineError(ErrorKind::InvalidInput,
                      "there is no policy " + id + (near.empty() ? "" : "; did you mean " + near + "?"));
}

}  // namespace

const std::vector<PolicyInfo>& policyCatalog() {
    static const std::vector<PolicyInfo> catalog = [] {
        std::vector<PolicyInfo> infos;
        for (const Entry& entry : entries()) {
            infos.push_back(entry.info);
        }
        return infos;
    }();
    return catalog;
}

const PolicyInfo& policyInfo(const std::string& id) {
    return find(id).info;
}

std::unique_ptr<PruningPolicy> makePolicy(const std::string& id, const ParameterMap& parameters) {
    const Entry& entry = find(id);
    return entry.make(completed(entry.info.parameters, parameters, "policy " + id));
}

void checkBudget(const std::string& policy, const ParameterMap& parameters, std::int64_t budget) {
    const auto made = makePolicy(policy, parameters);
    if (!policyInfo(policy).usesBudget) {
        return;
    }
    // A chunk of one token needs room for itself beside the sinks and one entry more.
    const std::int64_t least = made->sinks() + 2;
    if (budget < least) {
        throw EngineError(ErrorKind::InvalidInput, "budget " + std::to_string(budget) + " is too small for policy " +
                                                       policy + " with " + std::to_string(made->sinks()) +
                                                       " sinks: it needs at least " + std::to_string(least) +
                                                       "; raise the budget or lower the sinks");
    }
}

}  // namespace kvist
