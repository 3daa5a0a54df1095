// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace kvist {

/// A row that moves to another slot.
struct SlotMove {
    std::int32_t from = 0;
    std::int32_t to = 0;
};

/// Bookkeeping of one set of entries (of one KV head, or of all heads of a layer while they hold the same):
/// for each slot the original position and the policy's columns, and the slots in ascending order of position.
/// Slots are filled from 0 without gaps; an eviction moves the last rows into the holes and nothing else.
class EntryIndex {
public:
    EntryIndex(std::int64_t capacity, std::size_t columns);

    std::int64_t count() const { return static_cast<std::int64_t>(m_order.size()); }

    /// Position of the i-th entry in ascending order.
    std::int64_t position(std::int64_t i) const { return m_positions[slot(i)]; }
    std::size_t slot(std::int64_t i) const { return static_cast<std::size_t>(m_order[static_cast<std::size_t>(i)]); }

    /// A column in slot order, as the kernels see the entries.
    std::span<float> column(std::size_t column) { return m_columns[column]; }
    std::span<const float> column(std::size_t column) const { return m_columns[column]; }

    /// Appends entries at the next slots with positions first, first + 1, …, beyond all that are held. New
    /// column values are 0.
    void append(std::int64_t first, std::int64_t count);

    /// Removes entries, named by ascending indices in order of position. Returns the rows that must move.
    std::vector<SlotMove> evict(std::span<const std::int32_t> evicted);

    /// The same where slots are in ascending order of position and shall stay so: what follows moves up.
    void evictInOrder(std::span<const std::int32_t> evicted);

    void clear();

    std::int64_t metadataBytes() const;
    std::int64_t columnBytes() const;

private:
    std::vector<std::int32_t> m_order;      // slots by ascending position
    std::vector<std::int32_t> m_positions;  // by slot
    std::vector<std::vector<float>> m_columns;
};

}  // namespace kvist
