// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/session.h"

#include <algorithm>
#include <cmath>

#include "engine/api/engine_error.h"
#include "engine/kernels/attention.h"
#include "engine/runtime/stop.h"

namespace kvist {
namespace {

/// The longest chunk that leaves every layer its sinks and one entry more.
std::int64_t cutChunk(const SessionOptions& options, const PruningPolicy& policy, std::int64_t layers) {
    if (options.chunk < 1) {
        throw EngineError(ErrorKind::InvalidInput,
                          "chunk " + std::to_string(options.chunk) + ": expected at least one token");
    }
    if (policy.schedule() == PlanSchedule::Never) {
        return options.chunk;
    }
    std::int64_t chunk = options.chunk;
    for (std::int64_t layer = 0; layer < layers; ++layer) {
        chunk = std::min(chunk, policy.layerBudget(options.budget, layer, layers) - policy.sinks() - 1);
    }
    if (chunk < 1) {
        throw EngineError(ErrorKind::InvalidInput, "budget " + std::to_string(options.budget) + " is too small for " +
                                                       std::to_string(policy.sinks()) + " sinks: it needs at least " +
                                                       std::to_string(policy.sinks() + 2));
    }
    return chunk;
}

/// Where heads share a budget, any of them may hold nearly all of it; memory is taken only for what is held.
CacheShape shapeFor(const Decoder& decoder, const SessionOptions& options, const PruningPolicy& policy) {
    const ModelConfig& config = decoder.config();
    const std::int64_t longest = std::max<std::int64_t>(1, options.longest);
    std::int64_t capacity = 1;
    for (std::int64_t layer = 0; layer < config.layers; ++layer) {
        const std::int64_t budget = policy.layerBudget(options.budget, layer, config.layers);
        const auto most = policy.bound(budget) ? policy.bound(budget) : policy.layerBound(budget, config.kvHeads);
        capacity = std::max(capacity, std::min(longest, most.value_or(longest)));
    }
    return {config.layers, config.kvHeads, config.headDim, capacity, decoder.type(), decoder.device()};
}

Projection rows(const Projection& projection, std::int64_t first, std::int64_t count) {
    return {projection.queries.narrow(0, first, count), projection.keys.narrow(0, first, count),
            projection.values.narrow(0, first, count)};
}

}  // namespace

Session::Session(const Decoder& decoder, PruningPolicy& policy, const SessionOptions& options)
    : m_decoder(decoder),
      m_policy(policy),
      m_needs(policy.needs()),
      m_budget(options.budget),
      m_chunk(cutChunk(options, policy, decoder.config().layers)),
      m_rotary(decoder.config().headDim, decoder.config().ropeTheta, decoder.options()),
      m_cache(shapeFor(decoder, options, policy), m_needs.columns, m_needs.perHead),
      m_queries(static_cast<std::size_t>(decoder.config().layers), LayerQueries(m_needs.queryWindow)),
      m_evictions(static_cast<std::size_t>(decoder.config().layers)) {
    m_policy.reset();
}

void Session::reset() {
    m_cache.clear();
    for (LayerQueries& queries : m_queries) {
        queries.clear();
    }
    m_policy.reset();
    m_timeline.clear();
    for (ContentHash& hash : m_evictions) {
        hash.reset();
    }
    m_tokensSeen = 0;
    m_isBroken = false;
}

at::Tensor Session::feed(std::span<const std::int32_t> tokens, const ForwardOptions& options) {
    if (m_isBroken) {
        throw EngineError(ErrorKind::Internal, "a session was used after an error without a reset");
    }
    m_isBroken = true;
    m_stop = options.stop;
    const std::size_t step = runsLayerByLayer() ? tokens.size() : static_cast<std::size_t>(m_chunk);
    std::vector<at::Tensor> parts;
    for (std::size_t first = 0; first < tokens.size(); first += step) {
        const auto part = tokens.subspan(first, std::min(step, tokens.size() - first));
        m_timeline.begin();
        parts.push_back(m_decoder.forward(part, m_tokensSeen, *this, options));
        m_tokensSeen += static_cast<std::int64_t>(part.size());
    }
    m_isBroken = false;
    return parts.size() == 1 ? parts.front() : at::cat(parts);
}

at::Tensor Session::attend(std::int64_t layer, const Projection& projection) {
    const std::int64_t count = projection.queries.size(0);
    const bool isUncut = m_policy.schedule() == PlanSchedule::Never || count <= m_chunk;
    if (isUncut) {
        return attendChunk(layer, 0, projection, m_tokensSeen);
    }
    at::Tensor context =
        at::empty({count, projection.queries.size(1) * projection.queries.size(2)}, projection.queries.options());
    std::size_t index = 0;
    for (std::int64_t first = 0; first < count; first += m_chunk) {
        throwIfStopped(m_stop);
        const std::int64_t size = std::min(m_chunk, count - first);
        context.narrow(0, first, size)
            .copy_(attendChunk(layer, index++, rows(projection, first, size), m_tokensSeen + first));
    }
    return context;
}

at::Tensor Session::attendChunk(std::int64_t layer, std::size_t chunk, const Projection& part, std::int64_t first) {
    LayerCache& cache = m_cache.layer(layer);
    const std::int64_t count = part.queries.size(0);
    const std::int64_t seen = first + count;
    const std::int64_t budget = layerBudget(layer);
    prune({layer, std::max(m_policy.sinks() + 1, budget - count), first, count});
    const std::vector<std::int64_t> held(cache.held().begin(), cache.held().end());
    cache.append(part.keys, part.values, first);
    const kernels::AttentionResult result =
        kernels::attention({.queries = part.queries,
                            .keys = cache.keys(),
                            .values = cache.values(),
                            .held = held,
                            .scale = 1.0 / std::sqrt(static_cast<double>(part.queries.size(2))),
                            .wantsMass = m_needs.attentionMass});
    m_queries[static_cast<std::size_t>(layer)].append(part.queries, first);
    const CacheStats full = layerStats(layer);
    m_policy.observe({layer, count, cache, result.mass, part.queries.size(1),
                      m_needs.outputWeight ? m_decoder.outputWeight(layer) : at::Tensor()});
    prune({layer, budget, seen});
    m_timeline.record(chunk, seen, full, layerStats(layer));
    return result.context;
}

std::int64_t Session::layerBudget(std::int64_t layer) const {
    return m_policy.layerBudget(m_budget, layer, m_cache.shape().layers);
}

CacheStats Session::layerStats(std::int64_t layer) const {
    CacheStats stats = m_cache.layer(layer).stats();
    stats.policyState += m_queries[static_cast<std::size_t>(layer)].bytes();
    return stats;
}

CacheStats Session::stats() const {
    CacheStats sum;
    for (std::int64_t layer = 0; layer < m_cache.shape().layers; ++layer) {
        sum += layerStats(layer);
    }
    return sum;
}

void Session::prune(const PlanContext& context) {
    LayerCache& cache = m_cache.layer(context.layer);
    if (m_policy.schedule() == PlanSchedule::Never || cache.totalHeld() <= context.target * m_cache.shape().kvHeads) {
        return;
    }
    const LayerView view(cache, &m_queries[static_cast<std::size_t>(context.layer)], &m_rotary);
    const EvictionPlan plan = m_policy.plan(view, context);
    recordEvictions(context.layer, plan, context.tokensSeen);
    cache.apply(plan);
    checkBounds(cache, context.target);
}

void Session::checkBounds(const LayerCache& cache, std::int64_t target) const {
    const auto check = [](std::int64_t held, std::optional<std::int64_t> bound) {
        if (bound && held > *bound) {
            throw EngineError(ErrorKind::Internal, "the policy left " + std::to_string(held) +
                                                       " entries where it promised " + std::to_string(*bound));
        }
    };
    check(cache.mostHeld(), m_policy.bound(target));
    check(cache.totalHeld(), m_policy.layerBound(target, m_cache.shape().kvHeads));
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
