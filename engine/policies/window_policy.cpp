// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/window_policy.h"

#include <algorithm>
#include <numeric>

namespace kvist {
namespace {

constexpr const char* kOriginal = "original";
constexpr const char* kCompact = "compact";

}  // namespace

PolicyInfo WindowPolicy::info() {
    return {.id = "window",
            .title = "Window",
            .group = "Positions",
            .summary = "Keeps the first entries (sinks) and the most recent ones.",
            .paper = "Xiao et al. 2023, arXiv 2309.17453, section 3.2",
            .usesBudget = true,
            .isReconstruction = false,
            .parameters = {ParameterSpec::integer("sinks", "Sinks", 4, 0, 4096, "entries",
                                                  "First entries of the text, which are always kept."),
                           ParameterSpec::choice("positions", "Positions", kOriginal, {kOriginal, kCompact},
                                                 "Where entries and new tokens stand for the rotation: in the text, or "
                                                 "in the cache as StreamingLLM has it, which never goes beyond the "
                                                 "budget however long the text.")
                               .asOptional()}};
}

WindowPolicy::WindowPolicy(const ParameterMap& parameters)
    : m_sinks(integerOf(parameters, "sinks")), m_isCompact(choiceOf(parameters, "positions") == kCompact) {}

std::optional<Replacement> WindowPolicy::replacement() const {
    return m_isCompact ? std::nullopt : std::optional(Replacement{.goes = Replacement::Goes::Oldest, .sinks = m_sinks});
}

EvictionPlan WindowPolicy::plan(const LayerView& view, const PlanContext& context) {
    EvictionPlan plan;
    for (std::size_t set = 0; set < view.sets(); ++set) {
        const std::int64_t surplus = std::max<std::int64_t>(0, view.count(set) - context.target);
        std::vector<std::int32_t>& oldest = plan.evicted.emplace_back(static_cast<std::size_t>(surplus));
        std::iota(oldest.begin(), oldest.end(), static_cast<std::int32_t>(m_sinks));
    }
    return plan;
}

}  // namespace kvist
