// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/layer_cache.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "engine/api/engine_error.h"
#include "engine/cache/value_merger.h"

namespace kvist {
namespace {

constexpr std::size_t kMovesOneByOne = 4;

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
    at::Tensor part = tensor.narrow(0, firstHead, heads);
    // Where few rows move, as in a decode step, none waits for numbers of slots to be copied to the device.
    if (moves.size() <= kMovesOneByOne) {
        for (const auto& [from, to] : moves) {
            part.select(1, to).copy_(part.select(1, from));
        }
        return;
    }
    std::vector<std::int64_t> from;
    std::vector<std::int64_t> to;
    for (const SlotMove& move : moves) {
        from.push_back(move.from);
        to.push_back(move.to);
    }
    const at::Tensor source = at::tensor(from).to(tensor.device());
    part.index_copy_(1, at::tensor(to).to(tensor.device()), part.index_select(1, source));
}

/// A coded cache has its rows elsewhere.
CacheShape plainShape(CacheShape shape, const LayerStore& store) {
    shape.capacity = store.isPlain() ? shape.capacity : 1;
    return shape;
}

}  // namespace

LayerCache::LayerCache(const CacheShape& shape, std::size_t columns, bool perHead, LayerStore store)
    : m_shape(shape),
      m_keys(plainShape(shape, store)),
      m_values(plainShape(shape, store)),
      m_held(static_cast<std::size_t>(shape.kvHeads), 0),
      m_indexes(perHead ? static_cast<std::size_t>(shape.kvHeads) : 1, EntryIndex(shape.capacity, columns)) {
    if (store.isPlain()) {
        return;
    }
    if (!shape.device.is_cpu()) {
        throw EngineError(ErrorKind::Device,
                          "coded keys and values are held on a CPU only; choose device cpu or no store");
    }
    m_coded.emplace(Coded{CodedRows(shape, m_indexes.size(), std::move(store.keys)),
                          CodedRows(shape, m_indexes.size(), std::move(store.values)), store.mergesSparse});
}

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
    if (m_coded) {
        m_coded->keys.append(keys);
        m_coded->values.append(values);
    }
    const bool isShared = m_indexes.size() == 1;
    for (std::int64_t head = 0; head < m_shape.kvHeads; ++head) {
        std::int64_t& held = m_held[static_cast<std::size_t>(head)];
        if (!isShared && !m_coded) {
            m_keys.tensor()[head].narrow(0, held, count).copy_(keys.select(1, head));
            m_values.tensor()[head].narrow(0, held, count).copy_(values.select(1, head));
        }
        held += count;
        if (!m_coded) {
            m_keys.use(head, held);
            m_values.use(head, held);
        }
    }
    if (isShared && !m_coded) {
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
    const std::int64_t headsPerIndex = headsPerSet();
    for (std::size_t i = 0; i < m_indexes.size(); ++i) {
        const std::int64_t firstHead = static_cast<std::int64_t>(i) * headsPerIndex;
        if (m_coded) {
            applyToCoded(i, plan.evicted[i], plan.merges.empty() ? std::span<const ValueMerge>() : plan.merges[i]);
            std::fill_n(m_held.begin() + firstHead, headsPerIndex, m_indexes[i].count());
            continue;
        }
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

void LayerCache::applyToCoded(std::size_t set, std::span<const std::int32_t> evicted,
                              std::span<const ValueMerge> merges) {
    if (!merges.empty()) {
        at::Tensor values = ordered(m_coded->values, set);
        mergeValues(values, m_indexes[set], merges);
        std::vector<std::int32_t> changed;
        for (const ValueMerge& merge : merges) {
            if (!std::binary_search(evicted.begin(), evicted.end(), merge.to)) {
                changed.push_back(merge.to);
            }
        }
        std::sort(changed.begin(), changed.end());
        changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
        const std::vector<std::int64_t> rows(changed.begin(), changed.end());
        m_coded->values.replace(set, changed, values.index_select(1, at::tensor(rows, at::kLong)));
    }
    m_coded->keys.evict(set, evicted);
    m_coded->values.evict(set, evicted);
    m_indexes[set].evictInOrder(evicted);
}

void LayerCache::settle(const at::Tensor& queries) {
    if (!m_coded) {
        return;
    }
    m_coded->keys.settle(queries);
    m_coded->values.settle(queries);
    if (m_coded->mergesSparse) {
        m_coded->keys.mergeSparse();
        m_coded->values.mergeSparse();
    }
}

at::Tensor LayerCache::ordered(const at::Tensor& rows, std::size_t set) const {
    const EntryIndex& index = m_indexes[set];
    at::Tensor slots = at::empty({index.count()}, at::kLong);
    auto* next = slots.mutable_data_ptr<std::int64_t>();
    for (std::int64_t entry = 0; entry < index.count(); ++entry) {
        *next++ = static_cast<std::int64_t>(index.slot(entry));
    }
    return rows.narrow(0, static_cast<std::int64_t>(set) * headsPerSet(), headsPerSet())
        .index_select(1, slots.to(rows.device()))
        .to(rows.scalar_type() == at::kDouble ? at::kDouble : at::kFloat);
}

at::Tensor LayerCache::ordered(const CodedRows& rows, std::size_t set) const {
    std::vector<at::Tensor> heads;
    for (std::int64_t head = 0; head < headsPerSet(); ++head) {
        heads.push_back(rows.rows(static_cast<std::int64_t>(set) * headsPerSet() + head));
    }
    return at::stack(heads);
}

at::Tensor LayerCache::orderedKeys(std::size_t set) const {
    return m_coded ? ordered(m_coded->keys, set) : ordered(keys(), set);
}

at::Tensor LayerCache::orderedValues(std::size_t set) const {
    return m_coded ? ordered(m_coded->values, set) : ordered(values(), set);
}

at::Tensor LayerCache::latestValues(std::int64_t count) const {
    if (m_coded) {
        return m_coded->values.latest(count);
    }
    std::vector<at::Tensor> newest;
    for (std::int64_t head = 0; head < m_shape.kvHeads; ++head) {
        newest.push_back(values().select(0, head).narrow(0, m_held[static_cast<std::size_t>(head)] - count, count));
    }
    return at::stack(newest);
}

void LayerCache::clear() {
    for (EntryIndex& index : m_indexes) {
        index.clear();
    }
    if (m_coded) {
        m_coded->keys.clear();
        m_coded->values.clear();
    }
    for (std::int64_t head = 0; head < m_shape.kvHeads; ++head) {
        m_held[static_cast<std::size_t>(head)] = 0;
        m_keys.release(head, 0);
        m_values.release(head, 0);
    }
}

CacheStats LayerCache::stats() const {
    CacheStats stats;
    for (const EntryIndex& index : m_indexes) {
        stats.metadata += index.metadataBytes();
        stats.policyState += index.columnBytes();
    }
    if (m_coded) {
        m_coded->keys.addTo(stats);
        m_coded->values.addTo(stats);
        stats.policyState += m_coded->keys.basisBytes();
        if (!m_coded->keys.basis().is_same(m_coded->values.basis())) {
            stats.policyState += m_coded->values.basisBytes();
        }
        return stats;
    }
    stats.payload = totalHeld() * m_shape.entryBytes();
    stats.read = stats.payload;
    stats.allocated = m_keys.allocatedBytes() + m_values.allocatedBytes();
    return stats;
}

}  // namespace kvist
