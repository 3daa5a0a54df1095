// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "engine/cache/kv_cache.h"
#include "engine/policies/replacement.h"

namespace kvist {

/// Positions and scores of the slots of full caches, on the caches' device, and the choice of the slot that goes.
/// Tensors have fixed shapes and addresses and nothing is read back, so that the work can be recorded and replayed.
/// Slots change as LayerCache::apply() and append() change them: the last row moves into the hole, and the token
/// takes the last slot.
class BoundedSlots {
public:
    /// All layers hold the same number of entries, the same for all heads, the sinks in the first slots.
    BoundedSlots(const KvCache& cache, const Replacement& rule);

    /// Chooses in every layer the entry that the token at `position`, [1] int64, replaces, and puts the token's
    /// position and a score of 0 in its place.
    void replace(const at::Tensor& position);

    /// Does the same to the keys and values of a layer: key and value are [1, kv_heads, head_dim].
    void write(std::int64_t layer, const at::Tensor& key, const at::Tensor& value);

    std::int64_t layers() const { return m_positions.size(0); }
    std::int64_t entries() const { return m_positions.size(1); }  ///< in each layer
    const at::Tensor& positions() const { return m_positions; }   ///< [layers, entries] int64, by slot
    const at::Tensor& scores() const { return m_scores; }         ///< [layers, entries] float32; undefined without
    /// [layers] int64: the entries that replace() gave up, by their place in ascending order of position.
    const at::Tensor& replaced() const { return m_replaced; }

private:
    at::Tensor chosen(const at::Tensor& position) const;

    const KvCache& m_cache;
    const Replacement m_rule;
    at::Tensor m_positions;
    at::Tensor m_scores;
    at::Tensor m_slots;     // [layers] int64, given up
    at::Tensor m_replaced;  // [layers] int64
};

}  // namespace kvist
