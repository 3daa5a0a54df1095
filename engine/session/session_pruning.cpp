// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <numeric>

#include "engine/api/engine_error.h"
#include "engine/runtime/stopwatch.h"
#include "engine/session/session.h"

namespace kvist {
namespace {

void require(std::int64_t held, std::optional<std::int64_t> bound) {
    if (bound && held > *bound) {
        throw EngineError(ErrorKind::Internal, "the policy left " + std::to_string(held) +
                                                   " entries where it promised " + std::to_string(*bound));
    }
}

}  // namespace

bool Session::holdsWholePrompt() const {
    return m_options.protocol == SessionProtocol::PrefillThenDecode && m_phase == PlanPhase::Prefill;
}

bool Session::prunesAfter(std::int64_t seen) const {
    if (prunesEveryChunk(m_options, m_policy)) {
        return true;
    }
    return m_policy.schedule() == PlanSchedule::EveryTokens && (seen - m_promptLength) % m_policy.planInterval() == 0;
}

std::int64_t Session::layerBudget(std::int64_t layer) const {
    return m_policy.layerBudget(m_options.budget, layer, m_cache.shape().layers);
}

std::int64_t Session::targetBefore(std::int64_t layer, std::int64_t coming) const {
    return std::max(m_policy.sinks() + 1, layerBudget(layer) - coming);
}

PlanContext Session::context(std::int64_t layer, std::int64_t target, std::int64_t seen, std::int64_t coming) const {
    const auto known = static_cast<std::size_t>(seen) <= m_tokens.size() ? static_cast<std::size_t>(seen) : 0;
    return {.layer = layer,
            .target = target,
            .tokensSeen = seen,
            .coming = coming,
            .phase = m_phase,
            .promptLength = m_promptLength,
            .tokens = std::span(m_tokens).first(known),
            .question = m_question};
}

void Session::prune(const PlanContext& context) {
    LayerCache& cache = m_cache.layer(context.layer);
    if (m_policy.schedule() == PlanSchedule::Never || cache.totalHeld() <= context.target * m_cache.shape().kvHeads) {
        return;
    }
    const Stopwatch watch;
    const LayerView view(cache, &m_queries[static_cast<std::size_t>(context.layer)], &m_rotary);
    applyPlan(context.layer, m_policy.plan(view, context), context.tokensSeen);
    m_policySeconds += watch.seconds();
    checkBounds(cache, context.target);
}

void Session::pruneAll(std::int64_t seen, std::int64_t coming) {
    const std::int64_t layers = m_cache.shape().layers;
    std::vector<std::int64_t> targets;
    bool isExceeded = false;
    for (std::int64_t layer = 0; layer < layers; ++layer) {
        targets.push_back(coming > 0 ? targetBefore(layer, coming) : layerBudget(layer));
        isExceeded = isExceeded || m_cache.layer(layer).totalHeld() > targets.back() * m_cache.shape().kvHeads;
    }
    if (m_policy.schedule() == PlanSchedule::Never || !isExceeded) {
        return;
    }
    const std::int64_t sum = std::accumulate(targets.begin(), targets.end(), std::int64_t{0});
    const Stopwatch watch;
    const CacheView view(m_cache, m_queries, m_rotary, targets);
    const auto plans = m_policy.planAll(view, context(-1, sum / layers, seen, coming));
    if (plans.size() != targets.size()) {
        throw EngineError(ErrorKind::Internal, "a policy made " + std::to_string(plans.size()) + " plans for " +
                                                   std::to_string(layers) + " layers");
    }
    for (std::int64_t layer = 0; layer < layers; ++layer) {
        const auto index = static_cast<std::size_t>(layer);
        if (!plans[index].isEmpty()) {
            applyPlan(layer, plans[index], seen);
        }
        checkBounds(m_cache.layer(layer), targets[index]);
    }
    m_policySeconds += watch.seconds();
    checkTotal(sum * m_cache.shape().kvHeads);
}

void Session::applyPlan(std::int64_t layer, const EvictionPlan& plan, std::int64_t tokensSeen) {
    recordEvictions(layer, plan, tokensSeen);
    m_cache.layer(layer).apply(plan);
}

void Session::checkBounds(const LayerCache& cache, std::int64_t target) const {
    require(cache.mostHeld(), m_policy.bound(target));
    require(cache.totalHeld(), m_policy.layerBound(target, m_cache.shape().kvHeads));
}

void Session::checkTotal(std::int64_t entries) const {
    std::int64_t held = 0;
    for (std::int64_t layer = 0; layer < m_cache.shape().layers; ++layer) {
        held += m_cache.layer(layer).totalHeld();
    }
    require(held, m_policy.totalBound(entries));
}

std::optional<std::int64_t> Session::expectedPayload() const {
    const CacheShape& shape = m_cache.shape();
    const PlanSchedule schedule = m_policy.schedule();
    const std::int64_t generated = m_phase == PlanPhase::Decode ? m_tokensSeen - m_promptLength : 0;
    std::int64_t entries = 0;
    for (std::int64_t layer = 0; layer < shape.layers; ++layer) {
        const std::int64_t budget = layerBudget(layer);
        if (schedule == PlanSchedule::Never || holdsWholePrompt()) {
            entries += m_tokensSeen;
        } else if (prunesEveryChunk(m_options, m_policy)) {
            entries += std::min(budget, m_tokensSeen);
        } else if (schedule == PlanSchedule::PrefillEnd) {
            entries += std::min(budget, m_promptLength) + generated;
        } else {
            const std::int64_t since = generated % m_policy.planInterval();
            entries += std::min(budget, m_tokensSeen - since) + since;
        }
        const bool isPromised = schedule == PlanSchedule::Never || m_policy.layerBound(budget, shape.kvHeads);
        if (!isPromised || m_policy.store() != nullptr) {
            return std::nullopt;
        }
    }
    return entries * shape.kvHeads * shape.entryBytes();
}

void Session::recordEvictions(std::int64_t layer, const EvictionPlan& plan, std::int64_t tokensSeen) {
    ContentHash& hash = m_evictions[static_cast<std::size_t>(layer)];
    for (const auto& list : plan.evicted) {
        const std::int64_t header[] = {tokensSeen, static_cast<std::int64_t>(list.size())};
        hash.addValues(header);
        hash.addValues(list);
    }
}

std::string Session::keptDigest() const {
    ContentHash all;
    for (const ContentHash& layer : m_evictions) {
        all.addText(layer.digest());
    }
    return all.digest();
}

}  // namespace kvist
