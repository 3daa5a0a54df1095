// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/policy_factory.h"

#include <functional>
#include <map>

#include "engine/api/engine_error.h"
#include "engine/api/nearest_name.h"
#include "engine/policies/attention_score_policy.h"
#include "engine/policies/full_policy.h"
#include "engine/policies/scorers/cur_scorer.h"
#include "engine/policies/scorers/expected_attention_scorer.h"
#include "engine/policies/scorers/h2o_scorer.h"
#include "engine/policies/scorers/keydiff_scorer.h"
#include "engine/policies/scorers/knorm_scorer.h"
#include "engine/policies/scorers/lagkv_scorer.h"
#include "engine/policies/scorers/position_scorer.h"
#include "engine/policies/scorers/random_scorer.h"
#include "engine/policies/scorers/rkv_scorer.h"
#include "engine/policies/scorers/snapkv_scorer.h"
#include "engine/policies/scorers/tova_scorer.h"
#include "engine/policies/window_policy.h"
#include "engine/policies/wrappers/adakv.h"
#include "engine/policies/wrappers/block.h"
#include "engine/policies/wrappers/cam.h"
#include "engine/policies/wrappers/chunkkv.h"
#include "engine/policies/wrappers/criticalkv.h"
#include "engine/policies/wrappers/merge_similar.h"
#include "engine/policies/wrappers/pyramidkv.h"

namespace kvist {
namespace {

struct Entry {
    using MakePolicy = std::function<std::unique_ptr<PruningPolicy>(const ParameterMap&, std::uint64_t)>;
    using MakeScorer = std::function<std::unique_ptr<Scorer>(const ParameterMap&, std::uint64_t)>;

    PolicyInfo info;
    MakePolicy make;
    MakeScorer makeScorer = {};  ///< of those whose scores others may use
};

template <typename Policy>
Entry plain() {
    return {Policy::info(), [](const ParameterMap& parameters, std::uint64_t) -> std::unique_ptr<PruningPolicy> {
                if constexpr (std::is_default_constructible_v<Policy>) {
                    return std::make_unique<Policy>();
                } else {
                    return std::make_unique<Policy>(parameters);
                }
            }};
}

/// A scorer whose highest scores stay.
template <typename OwnScorer>
Entry scored() {
    const auto makeScorer = [](const ParameterMap& parameters, std::uint64_t seed) -> std::unique_ptr<Scorer> {
        if constexpr (std::is_constructible_v<OwnScorer, const ParameterMap&, std::uint64_t>) {
            return std::make_unique<OwnScorer>(parameters, seed);
        } else {
            return std::make_unique<OwnScorer>(parameters);
        }
    };
    const auto make = [makeScorer](const ParameterMap& parameters, std::uint64_t seed) {
        return std::make_unique<ScoredPolicy>(ScoredPolicy::Parts{.scorer = makeScorer(parameters, seed),
                                                                  .protection = Protection::from(parameters),
                                                                  .perHead = OwnScorer::kPerHead});
    };
    return {OwnScorer::info(), make, makeScorer};
}

/// Parts that come with a scorer of their own.
template <typename Recipe>
Entry assembled() {
    return {Recipe::info(), [](const ParameterMap& parameters, std::uint64_t) {
                return std::make_unique<ScoredPolicy>(Recipe::parts(parameters));
            }};
}

/// Parts around one of the scorers of `list`.
template <typename Recipe>
Entry wrapped(const std::vector<Entry>& list) {
    std::vector<std::string> bases;
    std::map<std::string, Entry> scorers;
    for (const Entry& entry : list) {
        if (entry.makeScorer) {
            bases.push_back(entry.info.id);
            scorers.emplace(entry.info.id, entry);
        }
    }
    return {Recipe::info(bases), [scorers](const ParameterMap& parameters, std::uint64_t seed) {
                const Entry& base = scorers.at(choiceOf(parameters, "base"));
                ParameterMap own = completed(base.info.parameters, {}, base.info.id);
                for (auto& [name, value] : own) {
                    const auto given = parameters.find(name);
                    value = given == parameters.end() ? value : given->second;
                }
                auto scorer = base.makeScorer(own, seed);
                if constexpr (requires { Recipe::parts(std::move(scorer), parameters, seed); }) {
                    return std::make_unique<ScoredPolicy>(Recipe::parts(std::move(scorer), parameters, seed));
                } else {
                    return std::make_unique<ScoredPolicy>(Recipe::parts(std::move(scorer), parameters));
                }
            }};
}

/// The list of policies. A new one is added here and nowhere else.
const std::vector<Entry>& entries() {
    static const std::vector<Entry> list = [] {
        Entry window = plain<WindowPolicy>();
        window.makeScorer = [](const ParameterMap&, std::uint64_t) { return std::make_unique<PositionScorer>(); };
        std::vector<Entry> all = {
            plain<FullPolicy>(),    window,
            scored<RandomScorer>(), plain<AttentionScorePolicy>(),
            scored<H2oScorer>(),    scored<TovaScorer>(),
            scored<SnapKvScorer>(), assembled<PyramidBudgets>(),
            scored<KnormScorer>(),  scored<KeyDiffScorer>(),
            scored<LagKvScorer>(),  scored<RkvScorer>(),
            scored<CurScorer>(),    scored<ExpectedAttentionScorer>(),
        };
        const std::vector<Entry> wrappers = {wrapped<AdaptiveHeads>(all),  wrapped<CriticalScorer>(all),
                                             wrapped<ChunkSelection>(all), wrapped<BlockWise>(all),
                                             wrapped<CacheMerging>(all),   wrapped<SimilarMerging>(all)};
        all.insert(all.end(), wrappers.begin(), wrappers.end());
        return all;
    }();
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

std::unique_ptr<PruningPolicy> makePolicy(const std::string& id, const ParameterMap& parameters, std::uint64_t seed) {
    const Entry& entry = find(id);
    return entry.make(completed(entry.info.parameters, parameters, "policy " + id), seed);
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
