// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/cache/cache_memory.h"
#include "engine/cache/cache_shape.h"
#include "engine/cache/entry_codec.h"

namespace kvist {

/// The coded rows of one layer's keys or values. Each set of heads has its own entries, in ascending order of
/// position; those of a group stand together. A group is not changed when entries of it go: it takes its place
/// until the last one has gone, or until neighbours are merged on purpose.
class CodedGroups {
public:
    /// Entries of one group that follow each other.
    struct Run {
        std::int64_t first = 0;  ///< entry
        std::int64_t count = 0;
        std::int32_t slot = 0;
    };

    CodedGroups(const CacheShape& shape, std::size_t sets, std::shared_ptr<const EntryCodec> codec);

    const EntryCodec& codec() const { return *m_codec; }
    std::int64_t count(std::size_t set) const { return static_cast<std::int64_t>(m_sets[set].places.size()); }

    /// Makes room for a group behind all others and returns its slot; `rows` of it are entries. The caller encodes
    /// into bytes() of each head.
    std::int32_t add(std::size_t set, std::int64_t rows);

    std::byte* bytes(std::int64_t head, std::int32_t slot);
    const std::byte* bytes(std::int64_t head, std::int32_t slot) const;

    std::vector<Run> runs(std::size_t set) const;
    /// Of each entry slot · groupRows + row.
    std::span<const std::int32_t> places(std::size_t set) const { return m_sets[set].places; }
    /// The row of an entry within its group.
    std::int64_t rowOf(std::size_t set, std::int64_t entry) const { return placeAt(set, entry) % m_groupRows; }
    std::int32_t slotOf(std::size_t set, std::int64_t entry) const {
        return static_cast<std::int32_t>(placeAt(set, entry) / m_groupRows);
    }

    /// Decodes all entries of a head to rows in the codec's basis, [entries, head_dim] or as wide as that is.
    void decode(std::size_t set, std::int64_t head, float* rows) const;

    /// Entries named by ascending indices go; groups without entries give their memory back.
    void evict(std::size_t set, std::span<const std::int32_t> evicted);

    /// Codes neighbouring groups anew as one where their entries fit. Returns the entries that were coded again.
    std::int64_t mergeSparse(std::size_t set);

    void clear();

    std::int64_t payloadBytes() const;  ///< codes of all groups, entries that have gone included
    std::int64_t scaleBytes() const;    ///< scales of all groups
    std::int64_t indexBytes() const;    ///< where each entry is
    std::int64_t allocatedBytes() const { return m_memory.allocatedBytes(); }

private:
    struct Set {
        std::vector<std::int32_t> places;  // by entry: slot · groupRows + row
        std::vector<std::int32_t> live;    // by slot: entries
    };

    std::int64_t placeAt(std::size_t set, std::int64_t entry) const {
        return m_sets[set].places[static_cast<std::size_t>(entry)];
    }
    std::int32_t placeOf(std::int32_t slot, std::int64_t row) const {
        return static_cast<std::int32_t>(slot * m_groupRows + row);
    }
    void mergeInto(std::size_t set, const Run& left, const Run& right);
    void removeEmpty(std::size_t set);
    std::int64_t heads() const { return m_headsPerSet; }

    std::shared_ptr<const EntryCodec> m_codec;
    std::int64_t m_groupRows;
    std::int64_t m_headDim;
    std::int64_t m_width;  // numbers of a row in the codec's basis
    std::int64_t m_headsPerSet;
    CacheMemory m_memory;
    std::vector<Set> m_sets;
};

}  // namespace kvist
