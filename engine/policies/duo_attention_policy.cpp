// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/duo_attention_policy.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/api/engine_error.h"
#include "engine/policies/lowest_scores.h"
#include "engine/policies/protection.h"

namespace kvist {

PolicyInfo DuoAttentionPolicy::info() {
    return {.id = "duoattention",
            .title = "DuoAttention",
            .group = "Heads share a budget",
            .summary =
                "Retrieval heads hold all that the budget allows, the other heads only sinks and recent entries. "
                "The paper trains a gate for each head; here heads are told apart by how much attention they pay "
                "to distant entries of a text.",
            .paper = "Xiao et al. 2024, arXiv 2410.10819, section 3",
            .usesBudget = true,
            .isReconstruction = true,
            .parameters = {ParameterSpec::real("retrieval", "Retrieval heads", 0.5, 0, 1, "",
                                               "Share of the model's KV heads that retrieve."),
                           Protection::sinksParameter(64),
                           ParameterSpec::integer("recent", "Recent", 256, 1, 1 << 20, "entries",
                                                  "Last entries that a streaming head holds; fewer where the budget "
                                                  "is smaller.")}};
}

DuoAttentionPolicy::DuoAttentionPolicy(const ParameterMap& parameters)
    : m_sinks(integerOf(parameters, "sinks")),
      m_recent(integerOf(parameters, "recent")),
      m_retrieval(realOf(parameters, "retrieval")) {}

void DuoAttentionPolicy::calibrate(const Calibration& calibration) {
    const at::Tensor distant = calibration.values.contiguous();  // [layers, kv_heads]
    const auto heads = static_cast<std::size_t>(distant.size(1));
    const std::span<const float> scores(distant.data_ptr<float>(), static_cast<std::size_t>(distant.numel()));
    const auto retrieving = std::llrint(m_retrieval * static_cast<double>(scores.size()));
    std::vector<std::int32_t> order = worstFirst(scores);
    order.erase(order.begin(), order.end() - retrieving);
    m_retrieves.assign(static_cast<std::size_t>(distant.size(0)), std::vector<bool>(heads, false));
    for (const std::int32_t head : order) {
        m_retrieves[static_cast<std::size_t>(head) / heads][static_cast<std::size_t>(head) % heads] = true;
    }
}

std::int64_t DuoAttentionPolicy::stateBytes() const {
    return m_retrieves.empty() ? 0 : std::ssize(m_retrieves) * std::ssize(m_retrieves.front());
}

std::int64_t DuoAttentionPolicy::retrievalHeads(std::int64_t layer) const {
    const auto& heads = m_retrieves.at(static_cast<std::size_t>(layer));
    return std::count(heads.begin(), heads.end(), true);
}

std::int64_t DuoAttentionPolicy::layerBudget(std::int64_t budget, std::int64_t layer, std::int64_t layers) const {
    if (m_retrieves.empty()) {
        return budget;
    }
    const auto heads = static_cast<std::int64_t>(m_retrieves.front().size());
    std::int64_t retrieving = 0;
    for (std::int64_t each = 0; each < layers; ++each) {
        retrieving += retrievalHeads(each);
    }
    const std::int64_t streaming = layers * heads - retrieving;
    const std::int64_t small = retrieving > 0 ? std::min(m_sinks + m_recent, budget) : budget;
    const std::int64_t saved = (budget - small) * streaming;
    const std::int64_t own = retrievalHeads(layer);
    const std::int64_t large = budget * own + (own > 0 ? saved * own / retrieving : 0);
    return (small * (heads - own) + large) / heads;
}

std::vector<std::int64_t> DuoAttentionPolicy::shares(std::int64_t layer, std::int64_t target,
                                                     std::int64_t coming) const {
    if (m_retrieves.empty()) {
        throw EngineError(ErrorKind::Internal, "duoattention was not calibrated");
    }
    const auto& retrieves = m_retrieves.at(static_cast<std::size_t>(layer));
    const auto heads = static_cast<std::int64_t>(retrieves.size());
    const std::int64_t retrieving = retrievalHeads(layer);
    if (retrieving == 0) {
        return std::vector<std::int64_t>(retrieves.size(), target);
    }
    const std::int64_t small = std::min(m_sinks + m_recent, target + coming) - coming;
    const std::int64_t streaming = std::clamp(small, std::min(m_sinks + 1, target), target);
    const std::int64_t large = (target * heads - streaming * (heads - retrieving)) / retrieving;
    std::vector<std::int64_t> result;
    for (const bool one : retrieves) {
        result.push_back(one ? large : streaming);
    }
    return result;
}

EvictionPlan DuoAttentionPolicy::plan(const LayerView& view, const PlanContext& context) {
    std::int64_t held = 0;
    for (std::size_t set = 0; set < view.sets(); ++set) {
        held += view.count(set);
    }
    if (held <= context.target * static_cast<std::int64_t>(view.sets())) {
        return {};
    }
    const std::vector<std::int64_t> most = shares(context.layer, context.target, context.coming);
    EvictionPlan plan;
    for (std::size_t set = 0; set < view.sets(); ++set) {
        const std::int64_t surplus = std::max<std::int64_t>(0, view.count(set) - most[set]);
        std::vector<std::int32_t>& oldest = plan.evicted.emplace_back(static_cast<std::size_t>(surplus));
        std::iota(oldest.begin(), oldest.end(), static_cast<std::int32_t>(m_sinks));
    }
    return plan;
}

}  // namespace kvist
