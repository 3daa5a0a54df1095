// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/shared_sets_policy.h"

#include <ATen/ops/maximum.h>

#include <algorithm>

#include "engine/policies/lowest_scores.h"

namespace kvist {
namespace {

constexpr const char* kParameter = "shared_sets";
constexpr const char* kNone = "none";
constexpr const char* kLayers = "layers";
constexpr const char* kHeads = "heads";

}  // namespace

ParameterSpec SharedSetsPolicy::parameter() {
    return ParameterSpec::choice(kParameter, "Shared sets", kNone, {kNone, kLayers, kHeads},
                                 "Who keeps the same entries: nobody, as in the paper; all layers for each number of a "
                                 "KV head, as in the authors' script; all layers and heads.")
        .asOptional();
}

std::optional<SharedSetsPolicy::Sharing> SharedSetsPolicy::from(const ParameterMap& parameters) {
    const std::string& choice = choiceOf(parameters, kParameter);
    return choice == kLayers  ? std::optional(Sharing::Layers)
           : choice == kHeads ? std::optional(Sharing::Heads)
                              : std::nullopt;
}

SharedSetsPolicy::SharedSetsPolicy(std::unique_ptr<Scorer> scorer, const Protection& protection, Sharing sharing)
    : JointlyScoredPolicy(std::move(scorer), protection), m_sharing(sharing) {}

PolicyNeeds SharedSetsPolicy::needs() const {
    PolicyNeeds needs = JointlyScoredPolicy::needs();
    needs.perHead = m_sharing == Sharing::Layers;
    return needs;
}

/// Of the entries between sinks and recent ones.
std::vector<float> SharedSetsPolicy::combinedScores(const CacheView& view, std::size_t set, PlanContext context) const {
    const std::int64_t sinks = protection().sinks;
    const std::int64_t open = view.layer(0).count(set) - sinks - protection().recentOf(context.target);
    at::Tensor combined;
    for (context.layer = 0; context.layer < view.layers(); ++context.layer) {
        const at::Tensor scores = scorer().scores(view.layer(context.layer), set, context);  // [heads, entries]
        const at::Tensor own = m_sharing == Sharing::Layers ? scores.mean(0) : scores.amax(0);
        combined = !combined.defined()            ? own
                   : m_sharing == Sharing::Layers ? combined + own
                                                  : at::maximum(combined, own);
    }
    const at::Tensor values = combined.narrow(0, sinks, open).to(at::kCPU, at::kFloat).contiguous();
    return {values.data_ptr<float>(), values.data_ptr<float>() + open};
}

std::vector<EvictionPlan> SharedSetsPolicy::planAll(const CacheView& view, const PlanContext& context) {
    std::vector<EvictionPlan> plans(static_cast<std::size_t>(view.layers()));
    const LayerView any = view.layer(0);  // all layers hold the same
    PlanContext own = context;
    own.target = view.target(0);
    own.target = protection().targetOf(own);
    EvictionPlan plan;
    for (std::size_t set = 0; set < any.sets(); ++set) {
        const std::int64_t surplus = any.count(set) - own.target;
        if (surplus <= 0) {
            return plans;
        }
        plan.evicted.push_back(
            lowestScores(combinedScores(view, set, own), surplus, static_cast<std::int32_t>(protection().sinks)));
    }
    std::fill(plans.begin(), plans.end(), plan);
    return plans;
}

}  // namespace kvist
