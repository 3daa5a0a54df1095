// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
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
#include "engine/session/compact_positions.h"
#include "engine/session/replaced_entries.h"
#include "engine/session/session_options.h"

namespace kvist {

/// A decoder, a cache and a policy at work on one text. Tokens are fed in chunks.
///
/// Streamed: before a chunk of c tokens each layer is pruned to max(sinks + 1, budget − c) entries, after it to the
/// budget, so that no layer ever holds more than the budget. PrefillThenDecode: what is fed before endPrompt() stays
/// whole, endPrompt() prunes once to the budget, and what follows is pruned by the policy's schedule.
///
/// Where a policy gives layers budgets of their own, each keeps to its own; where heads share, their mean does. New
/// tokens continue at the number of tokens seen, never at the number held, and entries are stored so; a policy may ask
/// for them to be read at compact positions. After an exception the session refuses to
/// go on until reset().
class Session : private CacheAttention {
public:
    /// `decoder` and `policy` must outlive the session; the policy is reset.
    Session(const Decoder& decoder, PruningPolicy& policy, const SessionOptions& options);

    /// Feeds tokens and returns their hidden states after the final norm, [tokens, hidden]. Under a policy of
    /// `Layer` dependence, and of a prompt that stays whole, all of them go through a layer before the next one,
    /// which changes nothing but the speed; under others chunk after chunk goes through the whole decoder.
    at::Tensor feed(std::span<const std::int32_t> tokens, const ForwardOptions& options = {});

    /// Ends the prompt: the policy may make extra passes, and each layer is pruned to the budget. What is fed from
    /// here on is the decode phase. Once between two resets, after at least one token (EngineError(Internal)).
    void endPrompt(const ForwardOptions& options = {});

    /// Tells the policy which positions of the prompt are the question.
    void markQuestion(const TokenSpan& question) { m_question = question; }

    /// Instead of feeding: entries as after `depth` tokens, with seeded random keys, values and columns. For
    /// measuring speed at depths that would take too long to reach.
    void fillRandomly(std::int64_t depth, std::uint64_t seed, const std::stop_token& stop = {});

    /// The rule by which each token that comes alone replaces one entry of every layer; none where a step is anything
    /// else: layers that are not full or do not hold the same number, other schedules, policies without such a rule.
    std::optional<Replacement> replacement() const;

    /// Lends the caches to a BoundedDecoder, which overwrites them by that rule. Until takeBack() nothing but reset()
    /// is allowed.
    void lend();
    /// Catches up with what has happened to the caches, as if the tokens had been fed.
    void takeBack(const ReplacedEntries& steps);

    /// Back to an empty cache; what follows equals a new session bit for bit.
    void reset();

    const Decoder& decoder() const { return m_decoder; }
    const KvCache& cache() const { return m_cache; }
    /// Bytes of the cache and of what is kept for the policy beside it.
    CacheStats stats() const;
    /// Bytes of keys and values that follow from budget, schedule and tokens seen alone; none where the policy promises
    /// no number of entries, or where they are not held in full precision.
    std::optional<std::int64_t> expectedPayload() const;
    const CacheTimeline& timeline() const { return m_timeline; }
    SessionProtocol protocol() const { return m_options.protocol; }
    std::int64_t tokensSeen() const { return m_tokensSeen; }
    /// Seconds that observing, planning and evicting have taken; without what attention takes to show its
    /// probabilities.
    double policySeconds() const { return m_policySeconds; }
    /// 0 until endPrompt().
    std::int64_t promptLength() const { return m_promptLength; }
    /// Tokens between two prunings as used: the option, or less where the budget is small.
    std::int64_t chunk() const { return m_chunk; }
    bool runsLayerByLayer() const { return m_policy.dependence() == PlanDependence::Layer; }

    /// Hash over every entry that was evicted, by layer and time: equal kept sets give equal digests.
    std::string keptDigest() const;

private:
    at::Tensor attend(std::int64_t layer, const Projection& projection) override;
    at::Tensor attendChunk(std::int64_t layer, std::size_t chunk, const Projection& part, std::int64_t first);
    std::int64_t nextChunk(std::int64_t seen, std::int64_t left) const;
    void begin(const ForwardOptions& options);

    bool holdsWholePrompt() const;
    bool prunesAfter(std::int64_t seen) const;
    std::int64_t targetBefore(std::int64_t layer, std::int64_t coming) const;
    PlanContext context(std::int64_t layer, std::int64_t target, std::int64_t seen, std::int64_t coming) const;
    void prune(const PlanContext& context);
    void pruneAll(std::int64_t seen, std::int64_t coming);
    void applyPlan(std::int64_t layer, const EvictionPlan& plan, std::int64_t tokensSeen);
    void checkBounds(const LayerCache& cache, std::int64_t target) const;
    void checkTotal(std::int64_t entries) const;
    void recordEvictions(std::int64_t layer, const EvictionPlan& plan, std::int64_t tokensSeen);

    void settle(std::int64_t layer);
    std::int64_t layerBudget(std::int64_t layer) const;
    CacheStats layerStats(std::int64_t layer) const;
    void fillLayer(std::int64_t layer, std::int64_t depth, const at::Tensor& keys, const at::Tensor& values);

    const Decoder& m_decoder;
    PruningPolicy& m_policy;
    const PolicyNeeds m_needs;
    const SessionOptions m_options;
    const std::int64_t m_chunk;
    const RotaryEmbedding m_rotary;
    CompactPositions m_compact;
    KvCache m_cache;
    std::vector<LayerQueries> m_queries;       // by layer, for the policy
    std::vector<LayerQueries> m_storeQueries;  // by layer, for the policy's store
    CacheTimeline m_timeline;
    std::vector<ContentHash> m_evictions;  // by layer
    std::stop_token m_stop;
    std::vector<std::int32_t> m_tokens;  // fed so far
    std::int64_t m_tokensSeen = 0;
    std::int64_t m_promptLength = 0;
    PlanPhase m_phase = PlanPhase::Prefill;
    TokenSpan m_question;
    double m_policySeconds = 0;
    bool m_isBroken = false;
};

}  // namespace kvist
