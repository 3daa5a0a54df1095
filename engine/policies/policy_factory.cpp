// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/policy_factory.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "engine/api/catalog_entry.h"
#include "engine/api/engine_error.h"
#include "engine/policies/attention_score_policy.h"
#include "engine/policies/common_options.h"
#include "engine/policies/duo_attention_policy.h"
#include "engine/policies/full_policy.h"
#include "engine/policies/global_policy.h"
#include "engine/policies/kvzip_policy.h"
#include "engine/policies/policy_card.h"
#include "engine/policies/scorers/cur_scorer.h"
#include "engine/policies/scorers/expected_attention_scorer.h"
#include "engine/policies/scorers/finch_scorer.h"
#include "engine/policies/scorers/h2o_scorer.h"
#include "engine/policies/scorers/keydiff_scorer.h"
#include "engine/policies/scorers/knorm_scorer.h"
#include "engine/policies/scorers/lagkv_scorer.h"
#include "engine/policies/scorers/position_scorer.h"
#include "engine/policies/scorers/random_scorer.h"
#include "engine/policies/scorers/rkv_scorer.h"
#include "engine/policies/scorers/snapkv_scorer.h"
#include "engine/policies/scorers/tova_scorer.h"
#include "engine/policies/scorers/triattention_scorer.h"
#include "engine/policies/shared_sets_policy.h"
#include "engine/policies/sim_layer_policy.h"
#include "engine/policies/store_factory.h"
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
    PlanSchedule schedule = PlanSchedule::EveryChunk;

    /// The same, but asked for plans at other times unless its parameters say otherwise.
    Entry scheduled(PlanSchedule when) const {
        Entry entry = *this;
        entry.schedule = when;
        return entry;
    }
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

/// The same with layers, and heads, that may keep the same entries.
template <typename OwnScorer>
Entry sharing() {
    Entry entry = scored<OwnScorer>();
    entry.info.parameters.push_back(SharedSetsPolicy::parameter());
    entry.make = [apart = entry.make, makeScorer = entry.makeScorer](
                     const ParameterMap& parameters, std::uint64_t seed) -> std::unique_ptr<PruningPolicy> {
        if (const auto shared = SharedSetsPolicy::from(parameters)) {
            return std::make_unique<SharedSetsPolicy>(makeScorer(parameters, seed), Protection::from(parameters),
                                                      *shared);
        }
        return apart(parameters, seed);
    };
    return entry;
}

/// Adds the parameters of the scorers that a policy may build upon, but for those that it has itself and those of a
/// policy's protection, which are its own affair.
void addBaseParameters(PolicyInfo& info, const std::map<std::string, Entry>& scorers) {
    static const std::set<std::string> kOwn = {"sinks",    "recent",    "recent_share",
                                               "interval", "positions", "shared_sets"};
    const std::vector<ParameterSpec> has = info.parameters;
    for (const auto& [id, entry] : scorers) {
        for (ParameterSpec spec : entry.info.parameters) {
            const bool isThere = std::any_of(has.begin(), has.end(), [&](const ParameterSpec& one) {
                return one.name == spec.name && (one.base.empty() || one.base == id);
            });
            if (!isThere && !kOwn.contains(spec.name)) {
                spec.base = id;
                info.parameters.push_back(spec.asOptional());
            }
        }
    }
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
    PolicyInfo info = Recipe::info(bases);
    addBaseParameters(info, scorers);
    return {info, [scorers](const ParameterMap& parameters, std::uint64_t seed) -> std::unique_ptr<PruningPolicy> {
                const Entry& base = scorers.at(choiceOf(parameters, "base"));
                ParameterMap own = completed(base.info.parameters, {}, base.info.id);
                for (auto& [name, value] : own) {
                    const auto given = parameters.find(name);
                    value = given == parameters.end() ? value : given->second;
                }
                auto scorer = base.makeScorer(own, seed);
                if constexpr (std::is_base_of_v<PruningPolicy, Recipe>) {
                    return std::make_unique<Recipe>(std::move(scorer), parameters);
                } else if constexpr (requires { Recipe::parts(std::move(scorer), parameters, seed); }) {
                    return std::make_unique<ScoredPolicy>(Recipe::parts(std::move(scorer), parameters, seed));
                } else {
                    return std::make_unique<ScoredPolicy>(Recipe::parts(std::move(scorer), parameters));
                }
            }};
}

/// Every entry stays, in a store.
Entry keepingAllIn(const StoreEntry& store) {
    return {store.info, [make = store.make](const ParameterMap& parameters, std::uint64_t seed) {
                auto policy = std::make_unique<FullPolicy>();
                policy->setStore(make(parameters, seed));
                return policy;
            }};
}

std::unique_ptr<PruningPolicy> made(const Entry& entry, const ParameterMap& parameters, std::uint64_t seed) {
    const ParameterMap given = completed(entry.info.parameters, parameters, "policy " + entry.info.id);
    return entry.make(withOptional(entry.info.parameters, given), seed);
}

/// What every policy with a budget can be told.
void addOptions(Entry& entry) {
    if (!entry.info.usesBudget) {
        return;
    }
    const auto has = [&](const char* name) {
        return std::any_of(entry.info.parameters.begin(), entry.info.parameters.end(),
                           [&](const ParameterSpec& spec) { return spec.name == name; });
    };
    const bool makesRoom = !has("interval") && !has("block");
    const auto sample = made(entry, {}, 0);
    if (sample->needsPrompt()) {
        return;
    }
    CommonOptions::addTo(entry.info, entry.schedule, sample->dependence());
    entry.make = [inner = entry.make, makesRoom](const ParameterMap& parameters, std::uint64_t seed) {
        auto policy = inner(parameters, seed);
        const CommonOptions options = CommonOptions::from(parameters);
        if (policy->needs().compactPositions && options.skipped > 0) {
            throw EngineError(ErrorKind::InvalidInput,
                              "compact positions need all layers to hold the same: set skip_layers to 0, or positions "
                              "to original");
        }
        if (policy->dependence() == PlanDependence::Model && options.skipped > 0) {
            throw EngineError(ErrorKind::InvalidInput,
                              "shared sets are for all layers: set skip_layers to 0, or shared_sets to none");
        }
        return std::make_unique<PolicyWithOptions>(std::move(policy), options, makesRoom);
    };
}

/// Brings the entries of a group together, groups in the order of their first entries.
void gatherGroups(std::vector<Entry>& list) {
    std::map<std::string, std::size_t> order;
    for (const Entry& entry : list) {
        order.emplace(entry.info.group, order.size());
    }
    std::stable_sort(list.begin(), list.end(),
                     [&](const Entry& a, const Entry& b) { return order.at(a.info.group) < order.at(b.info.group); });
}

/// The list of policies. A new one is added here and nowhere else.
const std::vector<Entry>& entries() {
    static const std::vector<Entry> list = [] {
        Entry window = plain<WindowPolicy>();
        window.makeScorer = [](const ParameterMap&, std::uint64_t) { return std::make_unique<PositionScorer>(); };
        constexpr auto kPrompt = PlanSchedule::PrefillEnd;
        constexpr auto kInterval = PlanSchedule::EveryTokens;
        std::vector<Entry> all = {
            plain<FullPolicy>(),
            window,
            scored<RandomScorer>(),
            plain<AttentionScorePolicy>(),
            scored<H2oScorer>(),
            scored<TovaScorer>(),
            scored<SnapKvScorer>().scheduled(kPrompt),
            scored<FinchScorer>().scheduled(kPrompt),
            scored<KnormScorer>().scheduled(kPrompt),
            scored<KeyDiffScorer>(),
            scored<LagKvScorer>(),
            scored<RkvScorer>().scheduled(kInterval),
            scored<CurScorer>().scheduled(kPrompt),
            scored<ExpectedAttentionScorer>().scheduled(kPrompt),
            sharing<TriAttentionScorer>().scheduled(kInterval),
        };
        const std::vector<Entry> wrappers = {
            wrapped<PyramidBudgets>(all).scheduled(kPrompt),
            wrapped<AdaptiveHeads>(all).scheduled(kPrompt),
            wrapped<GlobalPolicy>(all).scheduled(kPrompt),
            plain<KvZipPolicy>(),
            plain<DuoAttentionPolicy>(),
            wrapped<CriticalScorer>(all).scheduled(kPrompt),
            wrapped<ChunkSelection>(all).scheduled(kPrompt),
            wrapped<BlockWise>(all),
            wrapped<CacheMerging>(all),
            wrapped<SimilarMerging>(all).scheduled(kPrompt),
            plain<SimLayerPolicy>(),
        };
        all.insert(all.end(), wrappers.begin(), wrappers.end());
        for (const StoreEntry& store : storeEntries()) {
            all.push_back(keepingAllIn(store));
        }
        gatherGroups(all);
        for (Entry& entry : all) {
            addOptions(entry);
            fillCard(entry.info, *made(entry, {}, 0));
        }
        return all;
    }();
    return list;
}

const Entry& find(const std::string& id) {
    return catalogEntry(entries(), "policy", id, [](const Entry& entry) { return entry.info.id; });
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
    return made(find(id), parameters, seed);
}

std::unique_ptr<PruningPolicy> makePolicy(const RunConfig& config) {
    auto policy = makePolicy(config.policy, config.policyParameters, config.seed);
    if (!config.store.empty()) {
        storeInfo(config.store, config.policy);
        policy->setStore(makeStore(config.store, config.storeParameters, config.seed));
    }
    return policy;
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
