// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/global_policy.h"

#include "engine/policies/lowest_scores.h"
#include "engine/policies/wrappers/base_parameter.h"

namespace kvist {

PolicyInfo GlobalPolicy::info(const std::vector<std::string>& bases) {
    return {.id = "global",
            .title = "Global budget",
            .group = "Heads share a budget",
            .summary =
                "Lets all layers and heads share one budget: the entries of highest score of the whole model stay, by "
                "the scores of another policy.",
            .paper = "after Kim et al. 2025, arXiv 2505.23416, section 3.3",
            .usesBudget = true,
            .isReconstruction = true,
            .parameters = {baseParameter("snapkv", bases), Protection::sinksParameter(4),
                           Protection::recentParameter(16), Protection::intervalParameter(1)}};
}

GlobalPolicy::GlobalPolicy(std::unique_ptr<Scorer> scorer, const ParameterMap& parameters)
    : JointlyScoredPolicy(std::move(scorer), Protection::from(parameters)) {}

PolicyNeeds GlobalPolicy::needs() const {
    PolicyNeeds needs = JointlyScoredPolicy::needs();
    needs.perHead = true;
    return needs;
}

std::vector<EvictionPlan> GlobalPolicy::planAll(const CacheView& view, const PlanContext& context) {
    std::vector<std::vector<float>> lists;
    std::int64_t surplus = 0;
    for (std::int64_t layer = 0; layer < view.layers(); ++layer) {
        PlanContext own = context;
        own.layer = layer;
        own.target = view.target(layer);
        own.target = protection().targetOf(own);
        surplus += view.held(layer) - own.target * view.kvHeads();
        const LayerView entries = view.layer(layer);
        const std::int64_t recent = protection().recentOf(own.target);
        for (std::size_t set = 0; set < entries.sets(); ++set) {
            const std::int64_t open = entries.count(set) - protection().sinks - recent;
            lists.emplace_back();
            if (open > 0) {
                const at::Tensor scores =
                    scorer().scores(entries, set, own).mean(0).to(at::kCPU, at::kFloat).contiguous();
                const auto* first = scores.data_ptr<float>() + protection().sinks;
                lists.back().assign(first, first + open);
            }
        }
    }
    const auto gone = lowestOfAll(lists, surplus, static_cast<std::int32_t>(protection().sinks));
    std::vector<EvictionPlan> plans;
    for (auto first = gone.begin(); first != gone.end(); first += view.kvHeads()) {
        plans.push_back({{first, first + view.kvHeads()}});
    }
    return plans;
}

}  // namespace kvist
