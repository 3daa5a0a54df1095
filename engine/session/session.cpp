// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/session.h"

#include <ATen/CPUGeneratorImpl.h>

#include <algorithm>
#include <cmath>

#include "engine/api/engine_error.h"
#include "engine/kernels/attention.h"
#include "engine/runtime/stop.h"

namespace kvist {
namespace {

/// Random rows that are generated for a filled cache; longer caches repeat them.
constexpr std::int64_t kRandomRows = 4096;

std::int64_t cutChunk(const SessionOptions& options, const PruningPolicy& policy) {
    if (options.chunk < 1) {
        throw EngineError(ErrorKind::InvalidInput,
                          "chunk " + std::to_string(options.chunk) + ": expected at least one token");
    }
    if (policy.schedule() == PlanSchedule::Never) {
        return options.chunk;
    }
    const std::int64_t most = options.budget - policy.sinks() - 1;
    if (most < 1) {
        throw EngineError(ErrorKind::InvalidInput, "budget " + std::to_string(options.budget) + " is too small for " +
                                                       std::to_string(policy.sinks()) + " sinks: it needs at least " +
                                                       std::to_string(policy.sinks() + 2));
    }
    return std::min(options.chunk, most);
}

CacheShape shapeFor(const Decoder& decoder, const SessionOptions& options, const PruningPolicy& policy) {
    const ModelConfig& config = decoder.config();
    const std::int64_t longest = std::max<std::int64_t>(1, options.longest);
    const std::int64_t capacity = std::min(longest, policy.bound(options.budget).value_or(longest));
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
      m_chunk(cutChunk(options, policy)),
      m_cache(shapeFor(decoder, options, policy), m_needs.columns, m_needs.perHead),
      m_evictions(static_cast<std::size_t>(decoder.config().layers)) {
    m_policy.reset();
}

void Session::reset() {
    m_cache.clear();
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
    prune(layer, std::max(m_policy.sinks() + 1, m_budget - count), first);
    const std::vector<std::int64_t> held(cache.held().begin(), cache.held().end());
    cache.append(part.keys, part.values, first);
    const kernels::AttentionResult result =
        kernels::attention({.queries = part.queries,
                            .keys = cache.keys(),
                            .values = cache.values(),
                            .held = held,
                            .scale = 1.0 / std::sqrt(static_cast<double>(part.queries.size(2))),
                            .wantsMass = m_needs.attentionMass});
    const CacheStats full = cache.stats();
    m_policy.observe({layer, count, cache, result.mass, part.queries.size(1)});
    prune(layer, m_budget, seen);
    m_timeline.record(chunk, seen, full, cache.stats());
    return result.context;
}

void Session::prune(std::int64_t layer, std::int64_t target, std::int64_t tokensSeen) {
    LayerCache& cache = m_cache.layer(layer);
    if (m_policy.schedule() == PlanSchedule::Never || cache.mostHeld() <= target) {
        return;
    }
    const EvictionPlan plan = m_policy.plan(LayerView(cache), {layer, target, tokensSeen});
    recordEvictions(layer, plan, tokensSeen);
    cache.apply(plan);
    const auto bound = m_policy.bound(target);
    if (bound && cache.mostHeld() > *bound) {
        throw EngineError(ErrorKind::Internal, "the policy left " + std::to_string(cache.mostHeld()) +
                                                   " entries where it promised " + std::to_string(*bound));
    }
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

void Session::fillRandomly(std::int64_t depth, std::uint64_t seed) {
    reset();
    const CacheShape& shape = m_cache.shape();
    const std::int64_t entries = std::min(depth, shape.capacity);
    const std::int64_t sinks = std::min(m_policy.sinks(), entries);
    const at::Generator generator = at::make_generator<at::CPUGeneratorImpl>(seed);
    const std::int64_t rowCount = std::min(entries, kRandomRows);
    const auto randomRows = [&] {
        return at::randn({rowCount, shape.kvHeads, shape.headDim}, generator, at::TensorOptions(at::kFloat))
            .to(shape.device, shape.type);
    };
    const at::Tensor keys = randomRows();
    const at::Tensor values = randomRows();
    for (std::int64_t layer = 0; layer < shape.layers; ++layer) {
        LayerCache& cache = m_cache.layer(layer);
        const auto append = [&](std::int64_t count, std::int64_t position) {
            for (std::int64_t done = 0; done < count; done += rowCount) {
                const std::int64_t size = std::min(rowCount, count - done);
                cache.append(keys.narrow(0, 0, size), values.narrow(0, 0, size), position + done);
            }
        };
        append(sinks, 0);
        append(entries - sinks, depth - (entries - sinks));
        for (std::size_t set = 0; set < cache.indexes(); ++set) {
            for (std::size_t column = 0; column < m_needs.columns; ++column) {
                const auto scores = cache.index(set).column(column);
                const at::Tensor random = at::rand({entries}, generator, at::TensorOptions(at::kFloat));
                std::copy_n(random.data_ptr<float>(), entries, scores.begin());
            }
        }
    }
    m_tokensSeen = depth;
}

}  // namespace kvist
