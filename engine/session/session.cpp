// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/session.h"

#include <algorithm>

#include "engine/api/engine_error.h"
#include "engine/cache/attend_entries.h"
#include "engine/runtime/stop.h"
#include "engine/runtime/stopwatch.h"
#include "engine/session/session_probe.h"

namespace kvist {
namespace {

Projection rows(const Projection& projection, std::int64_t first, std::int64_t count) {
    return {projection.queries.narrow(0, first, count), projection.keys.narrow(0, first, count),
            projection.values.narrow(0, first, count)};
}

}  // namespace

Session::Session(const Decoder& decoder, PruningPolicy& policy, const SessionOptions& options)
    : m_decoder(decoder),
      m_policy(policy),
      m_needs(policy.needs()),
      m_options(options),
      m_chunk(chunkFor(options, policy, decoder.config().layers)),
      m_rotary(decoder.config().headDim, decoder.config().ropeTheta, decoder.options(), decoder.config().yarn),
      m_cache(shapeFor(decoder, options, policy), m_needs.columns, m_needs.perHead, policy.store().get()),
      m_queries(static_cast<std::size_t>(decoder.config().layers), LayerQueries(m_needs.queryWindow)),
      m_storeQueries(static_cast<std::size_t>(decoder.config().layers),
                     LayerQueries(policy.store() ? policy.store()->queryWindow() : 0)),
      m_evictions(static_cast<std::size_t>(decoder.config().layers)) {
    checkPositions(policy, options, decoder.config().layers);
    m_policy.reset();
}

void Session::reset() {
    m_compact.clear();
    m_cache.clear();
    for (LayerQueries& queries : m_queries) {
        queries.clear();
    }
    for (LayerQueries& queries : m_storeQueries) {
        queries.clear();
    }
    m_policy.reset();
    m_timeline.clear();
    for (ContentHash& hash : m_evictions) {
        hash.reset();
    }
    m_tokens.clear();
    m_tokensSeen = 0;
    m_promptLength = 0;
    m_phase = PlanPhase::Prefill;
    m_question = {};
    m_policySeconds = 0;
    m_isBroken = false;
}

void Session::begin(const ForwardOptions& options) {
    if (m_isBroken) {
        throw EngineError(ErrorKind::Internal, "a session was used after an error, or while lent, without a reset");
    }
    m_isBroken = true;
    m_stop = options.stop;
}

at::Tensor Session::feed(std::span<const std::int32_t> tokens, const ForwardOptions& options) {
    begin(options);
    m_tokens.insert(m_tokens.end(), tokens.begin(), tokens.end());
    const bool isOrdered = !runsLayerByLayer() && !holdsWholePrompt();
    std::vector<at::Tensor> parts;
    for (std::size_t first = 0; first < tokens.size();) {
        const auto left = static_cast<std::int64_t>(tokens.size() - first);
        const std::int64_t size = isOrdered ? nextChunk(m_tokensSeen, left) : left;
        const auto part = tokens.subspan(first, static_cast<std::size_t>(size));
        m_timeline.begin();
        if (isOrdered && prunesEveryChunk(m_options, m_policy)) {
            pruneAll(m_tokensSeen, size);
        }
        parts.push_back(m_decoder.forward(part, m_tokensSeen, *this, options));
        m_tokensSeen += size;
        if (isOrdered) {
            if (prunesAfter(m_tokensSeen)) {
                pruneAll(m_tokensSeen, 0);
            }
            for (std::int64_t layer = 0; layer < m_cache.shape().layers; ++layer) {
                settle(layer);
                m_timeline.record(0, m_tokensSeen, {}, layerStats(layer));
            }
        }
        first += part.size();
    }
    m_compact.clear();
    m_isBroken = false;
    return parts.size() == 1 ? parts.front() : at::cat(parts);
}

void Session::endPrompt(const ForwardOptions& options) {
    if (m_promptLength > 0 || m_tokensSeen == 0) {
        throw EngineError(ErrorKind::Internal, "a prompt must have tokens and can end once");
    }
    begin(options);
    m_promptLength = m_tokensSeen;
    m_phase = PlanPhase::PrefillEnd;
    CacheStats full = stats();
    if (m_options.protocol == SessionProtocol::PrefillThenDecode) {
        SessionProbe probe({.decoder = m_decoder,
                            .cache = m_cache,
                            .tokenizer = m_options.tokenizer,
                            .first = m_tokensSeen,
                            .mostTokens = m_needs.probeTokens,
                            .options = options});
        m_policy.prefillEnd(probe, context(-1, m_options.budget, m_tokensSeen, 0));
        full.policyState = stats().policyState;
        full.payload += probe.mostExtra() * m_cache.shape().kvHeads * m_cache.shape().entryBytes();
    }
    if (runsLayerByLayer()) {
        for (std::int64_t layer = 0; layer < m_cache.shape().layers; ++layer) {
            throwIfStopped(m_stop);
            prune(context(layer, layerBudget(layer), m_tokensSeen, 0));
        }
    } else {
        pruneAll(m_tokensSeen, 0);
    }
    for (std::int64_t layer = 0; layer < m_cache.shape().layers; ++layer) {
        settle(layer);
    }
    m_timeline.begin();
    m_timeline.record(0, m_tokensSeen, full, stats());
    m_phase = PlanPhase::Decode;
    m_isBroken = false;
}

std::int64_t Session::nextChunk(std::int64_t seen, std::int64_t left) const {
    const bool changesNothing = m_policy.schedule() == PlanSchedule::Never && m_policy.store() == nullptr;
    if (changesNothing || (holdsWholePrompt() && !m_needs.attentionMass)) {
        return left;
    }
    const bool isPeriodic = m_options.protocol == SessionProtocol::PrefillThenDecode && m_phase == PlanPhase::Decode &&
                            m_policy.schedule() == PlanSchedule::EveryTokens;
    const std::int64_t period = isPeriodic ? m_policy.planInterval() : m_chunk;
    const std::int64_t untilPlan = isPeriodic ? period - (seen - m_promptLength) % period : period;
    return std::min({left, m_chunk, untilPlan});
}

at::Tensor Session::attend(std::int64_t layer, const Projection& projection) {
    const std::int64_t count = projection.queries.size(0);
    if (nextChunk(m_tokensSeen, count) == count) {
        return attendChunk(layer, 0, projection, m_tokensSeen);
    }
    at::Tensor result =
        at::empty({count, projection.queries.size(1) * projection.queries.size(2)}, projection.queries.options());
    std::size_t index = 0;
    for (std::int64_t first = 0; first < count;) {
        throwIfStopped(m_stop);
        const std::int64_t size = nextChunk(m_tokensSeen + first, count - first);
        result.narrow(0, first, size)
            .copy_(attendChunk(layer, index++, rows(projection, first, size), m_tokensSeen + first));
        first += size;
    }
    return result;
}

at::Tensor Session::attendChunk(std::int64_t layer, std::size_t chunk, const Projection& part, std::int64_t first) {
    LayerCache& cache = m_cache.layer(layer);
    const std::int64_t count = part.queries.size(0);
    const std::int64_t seen = first + count;
    const bool prunesHere = runsLayerByLayer() && !holdsWholePrompt();
    if (prunesHere && prunesEveryChunk(m_options, m_policy)) {
        prune(context(layer, targetBefore(layer, count), first, count));
    }
    const std::vector<std::int64_t> held(cache.held().begin(), cache.held().end());
    cache.append(part.keys, part.values, first);
    const kernels::AttentionResult result = m_needs.compactPositions
                                                ? m_compact.attend(cache, part.queries, m_rotary)
                                                : attendEntries(cache, part.queries, held, m_needs.attentionMass);
    m_queries[static_cast<std::size_t>(layer)].append(part.queries, first);
    m_storeQueries[static_cast<std::size_t>(layer)].append(part.queries, first);
    const CacheStats full = layerStats(layer);
    const Stopwatch watch;
    m_policy.observe({layer, count, cache, result.mass, part.queries.size(1),
                      m_needs.outputWeight ? m_decoder.outputWeight(layer) : at::Tensor(), m_phase});
    m_policySeconds += watch.seconds();
    if (prunesHere && prunesAfter(seen)) {
        prune(context(layer, layerBudget(layer), seen, 0));
    }
    if (prunesHere) {
        settle(layer);
    }
    const bool isPrunedLater = !prunesHere && !holdsWholePrompt();
    m_timeline.record(chunk, seen, full, isPrunedLater ? CacheStats{} : layerStats(layer));
    return result.context;
}

void Session::settle(std::int64_t layer) {
    m_cache.layer(layer).settle(m_storeQueries[static_cast<std::size_t>(layer)].rotated());
}

CacheStats Session::layerStats(std::int64_t layer) const {
    CacheStats stats = m_cache.layer(layer).stats();
    stats.policyState += m_queries[static_cast<std::size_t>(layer)].bytes();
    stats.policyState += m_storeQueries[static_cast<std::size_t>(layer)].bytes();
    return stats;
}

CacheStats Session::stats() const {
    CacheStats sum;
    for (std::int64_t layer = 0; layer < m_cache.shape().layers; ++layer) {
        sum += layerStats(layer);
    }
    sum.policyState += m_policy.stateBytes();
    return sum;
}

}  // namespace kvist
