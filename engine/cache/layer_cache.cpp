// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/layer_cache.h"

#include <ATen/ops/tensor.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "engine/api/engine_error.h"
#include "engine/cache/value_merger.h"

namespace kvist {
namespace {

/// Moves rows of some heads of one tensor, [kv_heads, capacity, head_dim].
void moveTensorRows(const at::Tensor& tensor, const std::vector<SlotMove>& moves, std::int64_t firstHead,
                    std::int64_t heads) {
    if (tensor.device().is_cpu()) {
        const std::size_t element = tensor.element_size();
        const std::size_t rowBytes = static_cast<std::size_t>(tensor.size(2)) * element;
        for (std::int64_t head = firstHead; head < firstHead + heads; ++head) {
            auto* rows =
                static_cast<char*>(tensor.data_ptr()) + static_cast<std::size_t>(head * tensor.stride(0)) * element;
            for (const auto& [from, to] : moves) {
                std::memcpy(rows + static_cast<std::size_t>(to) * rowBytes,
                            rows + static_cast<std::size_t>(from) * rowBytes, rowBytes);
            }
        }
        return;
    }
    std::vector<std::int64_t> from;
    std::vector<std::int64_t> to;
    for (const SlotMove& move : moves) {
        from.push_back(move.from);
        to.push_back(move.to);
    }
    at::Tensor part = tensor.narrow(0, firstHead, heads);
    const at::Tensor source = at::tensor(from).to(tensor.device());
    part.index_copy_(1, at::tensor(to).to(tensor.device()), part.index_select(1, source));
}

}  // namespace

LayerCache::LayerCache(const CacheShape& shape, std::size_t columns, bool perHead)
    : m_shape(shape),
      m_keys(shape),
      m_values(shape),
      m_held(static_cast<std::size_t>(shape.kvHeads), 0),
      m_indexes(perHead ? static_cast<std::size_t>(shape.kvHeads) : 1, EntryIndex(shape.capacity, columns)) {}

std::int64_t LayerCache::mostHeld() const {
    return *std::max_element(m_held.begin(), m_held.end());
}

std::int64_t LayerCache::totalHeld() const {
    return std::accumulate(m_held.begin(), m_held.end(), std::int64_t{0});
}

void LayerCache::append(const at::Tensor& keys, const at::Tensor& values, std::int64_t first) {
    const std::int64_t count = keys.size(0);
    if (mostHeld() + count > m_shape.capacity) {
        throw EngineError(ErrorKind::Internal, "a cache of " + std::to_string(m_shape.capacity) +
                                                   " entries was asked to hold " + std::to_string(mostHeld() + count));
    }
    const bool isShared = m_indexes.size() == 1;
    for (std::int64_t head = 0; head < m_shape.kvHeads; ++head) {
        std::int64_t& held = m_held[static_cast<std::size_t>(head)];
        if (!isShared) {
            m_keys.tensor()[head].narrow(0, held, count).copy_(keys.select(1, head));
            m_values.tensor()[head].narrow(0, held, count).copy_(values.select(1, head));
        }
        held += count;
        m_keys.use(head, held);
        m_values.use(head, held);
    }
    if (isShared) {
        m_keys.tensor().narrow(1, m_held[0] - count, count).copy_(keys.transpose(0, 1));
        m_values.tensor().narrow(1, m_held[0] - count, count).copy_(values.transpose(0, 1));
    }
    for (EntryIndex& index : m_indexes) {
        index.append(first, count);
    }
}

void LayerCache::moveRows(const std::vector<SlotMove>& moves, std::int64_t firstHead, std::int64_t heads) {
    if (!moves.empty()) {
        moveTensorRows(m_keys.tensor(), moves, firstHead, heads);
        moveTensorRows(m_values.tensor(), moves, firstHead, heads);
    }
}

void LayerCache::apply(const EvictionPlan& plan) {
    if (plan.isEmpty()) {
        return;
    }
    std::vector<std::int64_t> counts;
    for (const EntryIndex& index : m_indexes) {
        counts.push_back(index.count());
    }
    plan.validate(counts);
    const std::int64_t headsPerIndex = m_shape.kvHeads / static_cast<std::int64_t>(m_indexes.size());
    for (std::size_t i = 0; i < m_indexes.size(); ++i) {
        const std::int64_t firstHead = static_cast<std::int64_t>(i) * headsPerIndex;
        if (!plan.merges.empty()) {
            mergeValues(m_values.tensor().narrow(0, firstHead, headsPerIndex), m_indexes[i], plan.merges[i]);
        }
        moveRows(m_indexes[i].evict(plan.evicted[i]), firstHead, headsPerIndex);
        for (std::int64_t head = firstHead; head < firstHead + headsPerIndex; ++head) {
            m_held[static_cast<std::size_t>(head)] = m_indexes[i].count();
            m_keys.release(head, m_indexes[i].count());
            m_values.release(head, m_indexes[i].count());
        }
    }
}

void LayerCache::clear() {
    for (EntryIndex& index : m_indexes) {
        index.clear();
    }
    for (std::int64_t head = 0; head < m_shape.kvHeads; ++head) {
        m_held[static_cast<std::size_t>(head)] = 0;
        m_keys.release(head, 0);
        m_values.release(head, 0);
    }
}

CacheStats LayerCache::stats() const {
    CacheStats stats;
    for (const std::int64_t held : m_held) {
        stats.payload += held * m_shape.entryBytes();
    }
    for (const EntryIndex& index : m_indexes) {
        stats.metadata += index.metadataBytes();
        stats.policyState += index.columnBytes();
    }
    stats.allocated = m_keys.allocatedBytes() + m_values.allocatedBytes();
    return stats;
}

}  // namespace kvist
