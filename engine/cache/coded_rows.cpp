// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/coded_rows.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/matmul.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>

namespace kvist {
namespace {

at::ScalarType workingType(const CacheShape& shape) {
    return shape.type == at::kDouble ? at::kDouble : at::kFloat;
}

/// A head's queries [queries · group, head_dim] in float32, or undefined.
at::Tensor queriesOfHead(const at::Tensor& queries, std::int64_t head, std::int64_t kvHeads) {
    if (!queries.defined() || queries.size(0) == 0) {
        return {};
    }
    const std::int64_t group = queries.size(1) / kvHeads;
    return queries.narrow(1, head * group, group).to(at::kFloat).reshape({-1, queries.size(2)}).contiguous();
}

}  // namespace

CodedRows::CodedRows(const CacheShape& shape, std::size_t sets, RowStore store)
    : m_shape(shape),
      m_store(std::move(store)),
      m_headsPerSet(shape.kvHeads / static_cast<std::int64_t>(sets)),
      m_tail(shape),
      m_tailCounts(sets, 0) {
    if (m_store.codec != nullptr) {
        m_groups.emplace(shape, sets, m_store.codec);
    }
}

std::int64_t CodedRows::count(std::size_t set) const {
    return codedCount(set) + m_tailCounts[set];
}

std::byte* CodedRows::tailRow(std::int64_t head, std::int64_t row) {
    const at::Tensor& tail = m_tail.tensor();
    return static_cast<std::byte*>(tail.data_ptr()) +
           (head * tail.stride(0) + row * tail.stride(1)) * static_cast<std::int64_t>(tail.element_size());
}

void CodedRows::append(const at::Tensor& rows) {
    const std::int64_t added = rows.size(0);
    for (std::size_t set = 0; set < m_tailCounts.size(); ++set) {
        std::int64_t& held = m_tailCounts[set];
        m_tail.tensor()
            .narrow(0, firstHead(set), m_headsPerSet)
            .narrow(1, held, added)
            .copy_(rows.narrow(1, firstHead(set), m_headsPerSet).transpose(0, 1));
        held += added;
        for (std::int64_t head = firstHead(set); head < firstHead(set) + m_headsPerSet; ++head) {
            m_tail.use(head, held);
        }
    }
}

void CodedRows::evict(std::size_t set, std::span<const std::int32_t> evicted) {
    const auto coded = static_cast<std::int32_t>(codedCount(set));
    const auto inTail = std::lower_bound(evicted.begin(), evicted.end(), coded);
    const auto split = static_cast<std::size_t>(inTail - evicted.begin());
    std::vector<std::int32_t> fromTail(inTail, evicted.end());
    for (std::int32_t& entry : fromTail) {
        entry -= coded;
    }
    evictFromTail(set, fromTail);
    if (m_groups) {
        m_groups->evict(set, evicted.first(split));
    }
}

void CodedRows::evictFromTail(std::size_t set, std::span<const std::int32_t> evicted) {
    if (evicted.empty()) {
        return;
    }
    const auto rowBytes = static_cast<std::size_t>(m_shape.entryBytes() / 2);
    const std::int64_t held = m_tailCounts[set];
    for (std::int64_t head = firstHead(set); head < firstHead(set) + m_headsPerSet; ++head) {
        std::int64_t kept = evicted.front();
        for (std::size_t i = 0; i < evicted.size(); ++i) {
            const std::int64_t from = evicted[i] + 1;
            const std::int64_t end = i + 1 < evicted.size() ? evicted[i + 1] : held;
            std::memmove(tailRow(head, kept), tailRow(head, from), static_cast<std::size_t>(end - from) * rowBytes);
            kept += end - from;
        }
        m_tail.release(head, kept);
    }
    m_tailCounts[set] -= static_cast<std::int64_t>(evicted.size());
}

void CodedRows::dropFront(std::size_t set, std::int64_t count) {
    std::vector<std::int32_t> front(static_cast<std::size_t>(count));
    std::iota(front.begin(), front.end(), 0);
    evictFromTail(set, front);
}

void CodedRows::settle(const at::Tensor& queries) {
    for (std::size_t set = 0; set < m_tailCounts.size(); ++set) {
        if (const std::int64_t leaving = m_store.leaving(m_tailCounts[set]); leaving > 0) {
            encodeFront(set, leaving, queries);
            dropFront(set, leaving);
        }
    }
}

void CodedRows::encodeFront(std::size_t set, std::int64_t count, const at::Tensor& queries) {
    const std::int64_t groupRows = m_store.codec->groupRows();
    std::vector<std::int32_t> slots;
    for (std::int64_t first = 0; first < count; first += groupRows) {
        slots.push_back(m_groups->add(set, groupRows));
    }
    for (std::int64_t head = firstHead(set); head < firstHead(set) + m_headsPerSet; ++head) {
        const at::Tensor rows = m_tail.tensor().select(0, head).narrow(0, 0, count).to(at::kFloat).contiguous();
        const at::Tensor own = queriesOfHead(queries, head, m_shape.kvHeads);
        RowGroup group{.rows = rows.const_data_ptr<float>(), .count = groupRows};
        if (own.defined()) {
            group.queries = own.const_data_ptr<float>();
            group.queryCount = own.size(0);
        }
        for (const std::int32_t slot : slots) {
            m_store.codec->encode(group, m_groups->bytes(head, slot));
            group.rows += groupRows * m_shape.headDim;
        }
    }
}

void CodedRows::mergeSparse() {
    for (std::size_t set = 0; m_groups && set < m_tailCounts.size(); ++set) {
        m_recoded += m_groups->mergeSparse(set) * m_headsPerSet;
    }
}

void CodedRows::replace(std::size_t set, std::span<const std::int32_t> entries, const at::Tensor& rows) {
    const std::int64_t coded = codedCount(set);
    std::map<std::int32_t, std::vector<std::size_t>> inGroup;  // which of `entries`, by slot
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (entries[i] < coded) {
            inGroup[m_groups->slotOf(set, entries[i])].push_back(i);
        }
    }
    for (std::int64_t head = firstHead(set); head < firstHead(set) + m_headsPerSet; ++head) {
        const at::Tensor own = rows[head - firstHead(set)];
        for (std::size_t i = 0; i < entries.size(); ++i) {
            if (entries[i] >= coded) {
                m_tail.tensor()[head][entries[i] - coded].copy_(own[static_cast<std::int64_t>(i)]);
            }
        }
        const at::Tensor single = own.to(at::kFloat).contiguous();
        for (const auto& [slot, changed] : inGroup) {
            const std::int64_t groupRows = m_store.codec->groupRows();
            std::vector<float> group(static_cast<std::size_t>(groupRows * m_shape.headDim));
            m_store.codec->decode(m_groups->bytes(head, slot), groupRows, group.data());
            for (const std::size_t i : changed) {
                std::copy_n(single.const_data_ptr<float>() + static_cast<std::int64_t>(i) * m_shape.headDim,
                            m_shape.headDim, group.data() + m_groups->rowOf(set, entries[i]) * m_shape.headDim);
            }
            m_store.codec->encode({.rows = group.data(), .count = groupRows}, m_groups->bytes(head, slot));
            m_recoded += groupRows;
        }
    }
}

at::Tensor CodedRows::turnedRows(std::int64_t head) const {
    const auto set = static_cast<std::size_t>(head / m_headsPerSet);
    const std::int64_t coded = codedCount(set);
    const auto options = at::TensorOptions(at::kFloat);
    const at::Tensor turn = basis();
    const std::int64_t width = turn.defined() ? turn.size(0) : m_shape.headDim;
    at::Tensor all = at::empty({count(set), width}, options.dtype(workingType(m_shape)));
    if (coded > 0) {
        at::Tensor front = all.narrow(0, 0, coded);
        at::Tensor decoded = all.scalar_type() == at::kFloat ? front : at::empty(front.sizes(), options);
        m_groups->decode(set, head, decoded.mutable_data_ptr<float>());
        if (!decoded.is_same(front)) {
            front.copy_(decoded);
        }
    }
    const at::Tensor tail = m_tail.tensor().select(0, head).narrow(0, 0, m_tailCounts[set]);
    at::Tensor back = all.narrow(0, coded, m_tailCounts[set]);
    if (!turn.defined()) {
        back.copy_(tail);
        return all;
    }
    const at::Tensor rotation = turn.narrow(0, 0, m_shape.headDim).to(all.scalar_type());
    back.narrow(1, 0, m_shape.headDim).copy_(at::matmul(tail.to(all.scalar_type()), rotation.t()));
    back.narrow(1, m_shape.headDim, width - m_shape.headDim).zero_();
    return all;
}

at::Tensor CodedRows::rows(std::int64_t head) const {
    at::Tensor all = turnedRows(head);
    const at::Tensor turn = basis();
    if (!turn.defined()) {
        return all;
    }
    const auto set = static_cast<std::size_t>(head / m_headsPerSet);
    at::Tensor plain = at::matmul(all, turn.to(all.scalar_type()));
    // The tail is exact, turned to and fro it would not be.
    plain.narrow(0, codedCount(set), m_tailCounts[set])
        .copy_(m_tail.tensor().select(0, head).narrow(0, 0, m_tailCounts[set]));
    return plain;
}

at::Tensor CodedRows::latest(std::int64_t count) const {
    at::Tensor newest = at::empty({m_shape.kvHeads, count, m_shape.headDim}, m_tail.tensor().options());
    for (std::int64_t head = 0; head < m_shape.kvHeads; ++head) {
        const std::int64_t held = m_tailCounts[static_cast<std::size_t>(head / m_headsPerSet)];
        newest[head].copy_(m_tail.tensor().select(0, head).narrow(0, held - count, count));
    }
    return newest;
}

void CodedRows::clear() {
    if (m_groups) {
        m_groups->clear();
    }
    for (std::int64_t head = 0; head < m_shape.kvHeads; ++head) {
        m_tail.release(head, 0);
    }
    std::fill(m_tailCounts.begin(), m_tailCounts.end(), 0);
    m_recoded = 0;
}

void CodedRows::addTo(CacheStats& stats) const {
    std::int64_t payload = 0;
    for (const std::int64_t held : m_tailCounts) {
        payload += held * m_headsPerSet * m_shape.entryBytes() / 2;
    }
    std::int64_t scales = 0;
    if (m_groups) {
        payload += m_groups->payloadBytes();
        scales = m_groups->scaleBytes();
        stats.metadata += scales + m_groups->indexBytes();
        stats.allocated += m_groups->allocatedBytes();
    }
    stats.payload += payload;
    stats.read += payload + scales;
    stats.allocated += m_tail.allocatedBytes();
    stats.recoded += m_recoded;
}

}  // namespace kvist
