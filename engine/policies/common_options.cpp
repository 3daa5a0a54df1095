// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/common_options.h"

#include <algorithm>

#include "engine/policies/protection.h"

namespace kvist {
namespace {

constexpr const char* kAtPromptEnd = "prompt-end";
constexpr const char* kEveryChunk = "chunk";
constexpr const char* kEveryInterval = "interval";

/// More than any text has, and small enough to be multiplied by heads and layers.
constexpr std::int64_t kUnlimited = std::int64_t{1} << 40;

std::string nameOf(PlanSchedule schedule) {
    return schedule == PlanSchedule::PrefillEnd    ? kAtPromptEnd
           : schedule == PlanSchedule::EveryTokens ? kEveryInterval
                                                   : kEveryChunk;
}

}  // namespace

void CommonOptions::addTo(PolicyInfo& info, PlanSchedule schedule, PlanDependence dependence) {
    const auto has = [&](const char* name) {
        return std::any_of(info.parameters.begin(), info.parameters.end(),
                           [&](const ParameterSpec& spec) { return spec.name == name && spec.base.empty(); });
    };
    if (!has("interval") && !has("block")) {
        info.parameters.push_back(Protection::intervalParameter(1).asOptional());
    }
    info.parameters.push_back(ParameterSpec::choice("schedule", "Eviction", nameOf(schedule),
                                                    {kAtPromptEnd, kEveryChunk, kEveryInterval},
                                                    "When entries go after a prompt has been compressed: not again, "
                                                    "around every chunk (at every step while text is generated), or "
                                                    "after every interval, between which the cache grows. A text that "
                                                    "is streamed is pruned around every chunk.")
                                  .asOptional());
    if (dependence == PlanDependence::Layer) {
        info.parameters.push_back(ParameterSpec::integer("skip_layers", "Skip layers", 0, 0, 1024, "layers",
                                                         "First layers, which hold everything, beside the budget.")
                                      .asOptional());
    }
}

CommonOptions CommonOptions::from(const ParameterMap& parameters) {
    const std::string& schedule = choiceOf(parameters, "schedule");
    return {.schedule = schedule == kAtPromptEnd     ? PlanSchedule::PrefillEnd
                        : schedule == kEveryInterval ? PlanSchedule::EveryTokens
                                                     : PlanSchedule::EveryChunk,
            .interval = integerOf(parameters, parameters.contains("interval") ? "interval" : "block"),
            .skipped = parameters.contains("skip_layers") ? integerOf(parameters, "skip_layers") : 0};
}

std::int64_t PolicyWithOptions::layerBudget(std::int64_t budget, std::int64_t layer, std::int64_t layers) const {
    return layer < m_options.skipped ? kUnlimited : m_inner->layerBudget(budget, layer, layers);
}

std::optional<Replacement> PolicyWithOptions::replacement() const {
    const bool isPlain = m_options.skipped == 0 && m_options.interval == 1;
    return isPlain ? m_inner->replacement() : std::nullopt;
}

EvictionPlan PolicyWithOptions::plan(const LayerView& view, const PlanContext& context) {
    if (!m_makesRoom) {
        return m_inner->plan(view, context);
    }
    PlanContext own = context;
    own.target = Protection{.sinks = sinks(), .interval = m_options.interval}.targetOf(context);
    return m_inner->plan(view, own);
}

}  // namespace kvist
