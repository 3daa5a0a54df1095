// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>

#include "engine/cache/eviction_plan.h"
#include "engine/cache/layer_cache.h"
#include "engine/policies/layer_view.h"

namespace kvist {

/// What a policy must be shown. Nothing else is computed for it.
struct PolicyNeeds {
    bool attentionMass = false;    ///< the probability that each entry received from a chunk's queries
    std::size_t columns = 0;       ///< values per entry that the cache keeps for the policy, starting at 0
    bool perHead = false;          ///< each KV head keeps its own entries
    std::int64_t queryWindow = 0;  ///< tokens whose queries are kept for LayerView
    bool outputWeight = false;     ///< the layer's output projection
};

/// Whether a plan follows from its own layer's history alone, so that a text can go through the decoder layer
/// by layer, or from other layers, logits or a second pass.
enum class PlanDependence { Layer, Model };

/// When plans are asked for.
enum class PlanSchedule {
    Never,       ///< nothing is ever evicted
    EveryChunk,  ///< before each chunk, to make room, and after it
};

/// One layer after attention over a chunk, whose entries are the last `chunk` slots of the cache.
struct LayerObservation {
    std::int64_t layer = 0;
    std::int64_t chunk = 0;
    LayerCache& cache;         ///< only the policy's own columns may be written
    at::Tensor attentionMass;  ///< [kv_heads, slots] summed over the chunk's queries and the group's heads
    std::int64_t queryHeads = 0;
    at::Tensor outputWeight = {};  ///< [hidden, query_heads · head_dim]
};

struct PlanContext {
    std::int64_t layer = 0;
    std::int64_t target = 0;      ///< entries per head that may stay
    std::int64_t tokensSeen = 0;  ///< tokens fed to this layer so far
    std::int64_t coming = 0;      ///< tokens that the plan makes room for; 0 after a chunk
};

/// Decides which entries of a cache go. Sees the cache through views and columns and changes values by the merges
/// of its plans alone. One object serves one session.
class PruningPolicy {
public:
    virtual ~PruningPolicy() = default;

    virtual PolicyNeeds needs() const { return {}; }
    virtual PlanDependence dependence() const { return PlanDependence::Layer; }
    virtual PlanSchedule schedule() const { return PlanSchedule::EveryChunk; }

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

    /// Forgets everything that was observed.
    virtual void reset() {}

    virtual void observe(const LayerObservation& observation) { static_cast<void>(observation); }

    /// Must return a plan that meets bound(context.target) and layerBound().
    virtual EvictionPlan plan(const LayerView& view, const PlanContext& context) = 0;
};

}  // namespace kvist
