// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/sim_layer_policy.h"

#include <algorithm>
#include <numeric>

#include "engine/policies/protection.h"

namespace kvist {

PolicyInfo SimLayerPolicy::info() {
    return {.id = "simlayerkv",
            .title = "SimLayerKV",
            .group = "Layers",
            .summary =
                "Lets lazy layers, whose last queries look at little but sinks and recent entries when the prompt "
                "ends, hold only those; the others hold everything.",
            .paper = "Zhang et al. 2024, arXiv 2410.13846, section 3",
            .usesBudget = false,
            .isReconstruction = false,
            .parameters = {ParameterSpec::real("threshold", "Threshold", 0.85, 0, 1, "",
                                               "Share of attention to sinks and recent entries above which a layer "
                                               "is lazy; 1: none is. The paper's values: 0.85 for Qwen, 0.9 for "
                                               "Llama 3, 0.8 for Mistral."),
                           Protection::sinksParameter(4),
                           ParameterSpec::integer("recent", "Recent", 1024, 2, 1 << 20, "entries",
                                                  "Last entries that a lazy layer holds."),
                           ParameterSpec::integer("last", "Last queries", 1, 1, 4096, "tokens",
                                                  "Last tokens of the prompt, whose queries judge.")}};
}

SimLayerPolicy::SimLayerPolicy(const ParameterMap& parameters)
    : m_sinks(integerOf(parameters, "sinks")),
      m_recent(integerOf(parameters, "recent")),
      m_last(integerOf(parameters, "last")),
      m_threshold(realOf(parameters, "threshold")) {}

double SimLayerPolicy::nearbyShare(const LayerView& view) const {
    const at::Tensor rows = view.attentionRows(0).mean({0, 1, 2});  // [entries]
    const std::int64_t before = rows.size(0) - view.queryCount();
    const std::int64_t sinks = std::min(m_sinks, before);
    const std::int64_t recent = std::min(m_recent, before - sinks);
    return (rows.narrow(0, 0, sinks).sum() + rows.narrow(0, before - recent, recent).sum()).item<double>();
}

EvictionPlan SimLayerPolicy::plan(const LayerView& view, const PlanContext& context) {
    const std::int64_t surplus = view.count(0) - context.target;
    if (context.phase == PlanPhase::PrefillEnd && view.count(0) > m_sinks + m_recent + m_last) {
        m_isLazy[context.layer] = nearbyShare(view) > m_threshold;
    }
    if (surplus <= 0 || !m_isLazy[context.layer]) {
        return {};
    }
    EvictionPlan plan{{std::vector<std::int32_t>(static_cast<std::size_t>(surplus))}};
    std::iota(plan.evicted.front().begin(), plan.evicted.front().end(), static_cast<std::int32_t>(m_sinks));
    return plan;
}

}  // namespace kvist
