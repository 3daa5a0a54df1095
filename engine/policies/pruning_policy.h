// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/cache/eviction_plan.h"
#include "engine/cache/layer_cache.h"
#include "engine/policies/cache_view.h"
#include "engine/policies/calibration/calibration.h"
#include "engine/policies/layer_view.h"
#include "engine/policies/plan_context.h"
#include "engine/policies/replacement.h"

namespace kvist {

class ModelProbe;

/// What a policy must be shown. Nothing else is computed for it.
struct PolicyNeeds {
    bool attentionMass = false;    ///< the probability that each entry received from a chunk's queries
    std::size_t columns = 0;       ///< values per entry that the cache keeps for the policy, starting at 0
    bool perHead = false;          ///< each KV head keeps its own entries
    std::int64_t queryWindow = 0;  ///< tokens whose queries are kept for LayerView
    bool outputWeight = false;     ///< the layer's output projection
    std::int64_t probeTokens = 0;  ///< most tokens of one extra pass in prefillEnd()
    /// Entries are read at their place among what is held instead of their place in the text. All heads and layers
    /// must hold the same, and nothing else may be asked for but columns.
    bool compactPositions = false;
};

/// Whether a plan follows from its own layer's history alone, so that a text can go through the decoder layer
/// by layer, or from other layers, logits or a second pass.
enum class PlanDependence { Layer, Model };

/// When plans are asked for where a prompt is fed whole and compressed once (SessionProtocol::PrefillThenDecode).
/// Where everything is streamed, no more than the budget may ever be held: plans are asked for whenever room is
/// needed, whatever the schedule says.
enum class PlanSchedule {
    Never,        ///< nothing is ever evicted
    EveryChunk,   ///< at the prompt's end; then before each chunk, to make room, and after it
    EveryTokens,  ///< at the prompt's end; then after every planInterval() tokens, between which the cache grows
    PrefillEnd,   ///< at the prompt's end alone: what is generated stays
};

/// One layer after attention over a chunk, whose entries are the last `chunk` slots of the cache.
struct LayerObservation {
    std::int64_t layer = 0;
    std::int64_t chunk = 0;
    LayerCache& cache;         ///< only the policy's own columns may be written
    at::Tensor attentionMass;  ///< [kv_heads, slots] summed over the chunk's queries and the group's heads
    std::int64_t queryHeads = 0;
    at::Tensor outputWeight = {};  ///< [hidden, query_heads · head_dim]
    PlanPhase phase = PlanPhase::Prefill;
};

/// Decides which entries of a cache go. Sees the cache through views and columns and changes values by the merges
/// of its plans alone. One object serves one session.
class PruningPolicy {
public:
    virtual ~PruningPolicy() = default;

    virtual PolicyNeeds needs() const { return {}; }
    virtual PlanDependence dependence() const { return PlanDependence::Layer; }
    virtual PlanSchedule schedule() const { return PlanSchedule::EveryChunk; }
    /// Tokens between two plans of PlanSchedule::EveryTokens, at least 1.
    virtual std::int64_t planInterval() const { return 1; }

    /// True where nothing can be decided before a prompt has ended; such a policy cannot be streamed.
    virtual bool needsPrompt() const { return false; }

    /// Entries at the start that every plan keeps; a chunk leaves room for one more.
    virtual std::int64_t sinks() const { return 0; }

    /// Entries per head that `layer` of `layers` may hold when layers hold `budget` on average.
    virtual std::int64_t layerBudget(std::int64_t budget, std::int64_t layer, std::int64_t layers) const {
        static_cast<void>(layer);
        static_cast<void>(layers);
        return budget;
    }

    /// Most entries per head that stay after a plan to `target`; none: no promise.
    virtual std::optional<std::int64_t> bound(std::int64_t target) const { return target; }

    /// Most entries of all `heads` KV heads of a layer together; none: no promise.
    virtual std::optional<std::int64_t> layerBound(std::int64_t target, std::int64_t heads) const {
        const auto each = bound(target);
        return each ? std::optional(*each * heads) : std::nullopt;
    }

    /// Most entries of all layers and heads together where the layers' targets sum to `entries`, asked of policies
    /// of `Model` dependence; none: no promise.
    virtual std::optional<std::int64_t> totalBound(std::int64_t entries) const { return entries; }

    /// What the policy must know about the model; handed to calibrate() before the first session.
    virtual std::optional<CalibrationRequest> calibration() const { return std::nullopt; }
    virtual void calibrate(const Calibration& calibration) { static_cast<void>(calibration); }

    /// How a session's cache holds the entries; null: in full precision. Set when the policy is made.
    const std::shared_ptr<const CacheStore>& store() const { return m_store; }
    void setStore(std::shared_ptr<const CacheStore> store) { m_store = std::move(store); }

    /// What one more token does to a full cache, where plan() and observe() come to no more than such a rule, so that
    /// they need not be asked; none: they must be.
    virtual std::optional<Replacement> replacement() const { return std::nullopt; }

    /// Bytes that the policy keeps beside columns and queries, such as a calibration.
    virtual std::int64_t stateBytes() const { return 0; }

    /// Forgets everything that was observed, but no calibration.
    virtual void reset() {}

    virtual void observe(const LayerObservation& observation) { static_cast<void>(observation); }

    /// Called once when a prompt has ended, all of it is held and nothing is pruned yet: the one opportunity for
    /// extra passes. A plan follows.
    virtual void prefillEnd(ModelProbe& probe, const PlanContext& context) {
        static_cast<void>(probe);
        static_cast<void>(context);
    }

    /// Must return a plan that meets bound(context.target) and layerBound(). Asked of policies of `Layer`
    /// dependence.
    virtual EvictionPlan plan(const LayerView& view, const PlanContext& context) = 0;

    /// One plan for each layer, empty where nothing goes; asked of policies of `Model` dependence when a layer
    /// exceeds its target. Must meet the three bounds. Without an override each such layer's plan() is asked.
    virtual std::vector<EvictionPlan> planAll(const CacheView& view, const PlanContext& context);

private:
    std::shared_ptr<const CacheStore> m_store;
};

}  // namespace kvist
