// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/entry_index.h"

#include <algorithm>

namespace kvist {

EntryIndex::EntryIndex(std::int64_t capacity, std::size_t columns) : m_columns(columns) {
    m_order.reserve(static_cast<std::size_t>(capacity));
    m_positions.reserve(static_cast<std::size_t>(capacity));
    for (auto& column : m_columns) {
        column.reserve(static_cast<std::size_t>(capacity));
    }
}

void EntryIndex::append(std::int64_t first, std::int64_t count) {
    const auto held = static_cast<std::int32_t>(m_order.size());
    for (std::int32_t i = 0; i < count; ++i) {
        m_order.push_back(held + i);
        m_positions.push_back(static_cast<std::int32_t>(first + i));
    }
    for (auto& column : m_columns) {
        column.resize(m_order.size(), 0.0F);
    }
}

std::vector<SlotMove> EntryIndex::evict(std::span<const std::int32_t> evicted) {
    const std::size_t kept = m_order.size() - evicted.size();
    // Rows beyond the new end that stay move into the holes below it; both are taken in ascending order.
    std::vector<std::int32_t> holes;
    std::vector<std::int32_t> target(evicted.size(), 0);  // new slot of row kept + i; -1 where it goes
    for (const std::int32_t entry : evicted) {
        const std::size_t gone = slot(entry);
        if (gone < kept) {
            holes.push_back(static_cast<std::int32_t>(gone));
        } else {
            target[gone - kept] = -1;
        }
    }
    std::sort(holes.begin(), holes.end());
    std::vector<SlotMove> moves;
    moves.reserve(holes.size());
    for (std::size_t i = 0; i < target.size(); ++i) {
        if (target[i] == 0) {
            const auto from = static_cast<std::int32_t>(kept + i);
            target[i] = holes[moves.size()];
            moves.push_back({from, target[i]});
        }
    }

    auto next = evicted.begin();
    std::size_t end = evicted.empty() ? m_order.size() : static_cast<std::size_t>(*next);
    for (std::size_t i = end; i < m_order.size(); ++i) {
        if (next != evicted.end() && static_cast<std::size_t>(*next) == i) {
            ++next;
        } else {
            m_order[end++] = m_order[i];
        }
    }
    m_order.resize(kept);
    if (!moves.empty()) {
        for (std::int32_t& at : m_order) {
            if (static_cast<std::size_t>(at) >= kept) {
                at = target[static_cast<std::size_t>(at) - kept];
            }
        }
    }
    for (const auto& [from, to] : moves) {
        m_positions[static_cast<std::size_t>(to)] = m_positions[static_cast<std::size_t>(from)];
        for (auto& column : m_columns) {
            column[static_cast<std::size_t>(to)] = column[static_cast<std::size_t>(from)];
        }
    }
    m_positions.resize(kept);
    for (auto& column : m_columns) {
        column.resize(kept);
    }
    return moves;
}

void EntryIndex::evictInOrder(std::span<const std::int32_t> evicted) {
    const auto compact = [&](auto& values) {
        auto next = evicted.begin();
        std::size_t kept = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (next != evicted.end() && static_cast<std::size_t>(*next) == i) {
                ++next;
            } else {
                values[kept++] = values[i];
            }
        }
        values.resize(kept);
    };
    compact(m_positions);
    for (auto& column : m_columns) {
        compact(column);
    }
    m_order.resize(m_positions.size());
}

void EntryIndex::clear() {
    m_order.clear();
    m_positions.clear();
    for (auto& column : m_columns) {
        column.clear();
    }
}

std::int64_t EntryIndex::metadataBytes() const {
    return static_cast<std::int64_t>((m_order.size() + m_positions.size()) * sizeof(std::int32_t));
}

std::int64_t EntryIndex::columnBytes() const {
    return static_cast<std::int64_t>(m_columns.size() * m_positions.size() * sizeof(float));
}

}  // namespace kvist
