// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/cache/kv_cache.h"
#include "engine/model/decoder.h"
#include "engine/policies/layer_queries.h"
#include "engine/policies/pruning_policy.h"
#include "engine/runtime/content_hash.h"
#include "engine/session/cache_timeline.h"

namespace kvist {

struct SessionOptions {
    std::int64_t budget = 0;   ///< entries per layer and KV head after each chunk; unused by policies that never prune
    std::int64_t chunk = 32;   ///< tokens between two prunings; cut to the smallest layer's budget − sinks − 1
    std::int64_t longest = 0;  ///< most tokens that will be fed in all
};

/// A decoder, a cache and a policy at work on one text. Tokens are fed in chunks; before a chunk of c tokens
/// each layer is pruned to max(sinks + 1, budget − c) entries, after it to the budget, so that no layer ever
/// holds more than the budget. Where a policy gives layers budgets of their own, each keeps to its own; where
/// heads share, their mean does. New tokens continue at the number of tokens seen, never at the number held.
/// After an exception the session refuses to go on until reset().
class Session : private CacheAttention {
public:
    /// `decoder` and `policy` must outlive the session; the policy is reset.
    Session(const Decoder& decoder, PruningPolicy& policy, const SessionOptions& options);

    /// Feeds tokens and returns their hidden states after the final norm, [tokens, hidden]. Under a policy of
    /// `Layer` dependence all of them go through a layer before the next one, which changes nothing but the
    /// speed; under others chunk after chunk goes through the whole decoder.
    at::Tensor feed(std::span<const std::int32_t> tokens, const ForwardOptions& options = {});

    /// Instead of feeding: entries as after `depth` tokens, with seeded random keys, values and columns. For
    /// measuring speed at depths that would take too long to reach.
    void fillRandomly(std::int64_t depth, std::uint64_t seed, const std::stop_token& stop = {});

    /// Back to an empty cache; what follows equals a new session bit for bit.
    void reset();

    const Decoder& decoder() const { return m_decoder; }
    const KvCache& cache() const { return m_cache; }
    /// Bytes of the cache and of what is kept for the policy beside it.
    CacheStats stats() const;
    const CacheTimeline& timeline() const { return m_timeline; }
    std::int64_t tokensSeen() const { return m_tokensSeen; }
    /// Tokens between two prunings as used: the option, or less where the budget is small.
    std::int64_t chunk() const { return m_chunk; }
    bool runsLayerByLayer() const { return m_policy.dependence() == PlanDependence::Layer; }

    /// Hash over every entry that was evicted, by layer and time: equal kept sets give equal digests.
    std::string keptDigest() const;

private:
    at::Tensor attend(std::int64_t layer, const Projection& projection) override;
    at::Tensor attendChunk(std::int64_t layer, std::size_t chunk, const Projection& part, std::int64_t first);
    void prune(const PlanContext& context);
    void checkBounds(const LayerCache& cache, std::int64_t target) const;
    std::int64_t layerBudget(std::int64_t layer) const;
    CacheStats layerStats(std::int64_t layer) const;
    void fillLayer(std::int64_t layer, std::int64_t depth, const at::Tensor& keys, const at::Tensor& values);
    void recordEvictions(std::int64_t layer, const EvictionPlan& plan, std::int64_t tokensSeen);

    const Decoder& m_decoder;
    PruningPolicy& m_policy;
    const PolicyNeeds m_needs;
    const std::int64_t m_budget;
    const std::int64_t m_chunk;
    const RotaryEmbedding m_rotary;
    KvCache m_cache;
    std::vector<LayerQueries> m_queries;  // by layer
    CacheTimeline m_timeline;
    std::vector<ContentHash> m_evictions;  // by layer
    std::stop_token m_stop;
    std::int64_t m_tokensSeen = 0;
    bool m_isBroken = false;
};

}  // namespace kvist
