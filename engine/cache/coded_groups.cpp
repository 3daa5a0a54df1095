// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/coded_groups.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <cstring>

namespace kvist {
namespace {

CacheShape groupShape(const CacheShape& shape, const EntryCodec& codec) {
    // Each group holds an entry at least, so there are never more groups than entries.
    return {shape.layers, shape.kvHeads, codec.groupBytes(), shape.capacity, at::kByte, at::kCPU};
}

/// Copies the rows of a run out of its decoded group.
void copyRows(const float* group, std::span<const std::int64_t> rows, std::int64_t width, float* out) {
    for (const std::int64_t row : rows) {
        std::copy_n(group + row * width, width, out);
        out += width;
    }
}

}  // namespace

CodedGroups::CodedGroups(const CacheShape& shape, std::size_t sets, std::shared_ptr<const EntryCodec> codec)
    : m_codec(std::move(codec)),
      m_groupRows(m_codec->groupRows()),
      m_headDim(shape.headDim),
      m_width(m_codec->basis().defined() ? m_codec->turnedWidth() : shape.headDim),
      m_headsPerSet(shape.kvHeads / static_cast<std::int64_t>(sets)),
      m_memory(groupShape(shape, *m_codec)),
      m_sets(sets) {}

std::byte* CodedGroups::bytes(std::int64_t head, std::int32_t slot) {
    const at::Tensor& memory = m_memory.tensor();
    return static_cast<std::byte*>(memory.data_ptr()) + head * memory.stride(0) + slot * memory.stride(1);
}

const std::byte* CodedGroups::bytes(std::int64_t head, std::int32_t slot) const {
    const at::Tensor& memory = m_memory.tensor();
    return static_cast<const std::byte*>(memory.const_data_ptr()) + head * memory.stride(0) + slot * memory.stride(1);
}

std::int32_t CodedGroups::add(std::size_t set, std::int64_t rows) {
    Set& own = m_sets[set];
    const auto slot = static_cast<std::int32_t>(own.live.size());
    own.live.push_back(static_cast<std::int32_t>(rows));
    for (std::int64_t row = 0; row < rows; ++row) {
        own.places.push_back(placeOf(slot, row));
    }
    const std::int64_t firstHead = static_cast<std::int64_t>(set) * heads();
    for (std::int64_t head = firstHead; head < firstHead + heads(); ++head) {
        m_memory.use(head, slot + 1);
    }
    return slot;
}

std::vector<CodedGroups::Run> CodedGroups::runs(std::size_t set) const {
    std::vector<Run> list;
    list.reserve(m_sets[set].live.size());
    for (std::int64_t entry = 0; entry < count(set);) {
        const std::int32_t slot = slotOf(set, entry);
        list.push_back({entry, m_sets[set].live[static_cast<std::size_t>(slot)], slot});
        entry += list.back().count;
    }
    return list;
}

void CodedGroups::decode(std::size_t set, std::int64_t head, float* rows) const {
    constexpr std::int64_t kEntriesOfThread = 512;
    if (m_groupRows == 1) {
        at::parallel_for(0, count(set), kEntriesOfThread, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t entry = begin; entry < end; ++entry) {
                m_codec->decodeTurned(bytes(head, slotOf(set, entry)), 1, rows + entry * m_width);
            }
        });
        return;
    }
    const std::vector<Run> list = runs(set);
    const std::int64_t grain = std::max<std::int64_t>(1, kEntriesOfThread / m_groupRows);
    at::parallel_for(0, static_cast<std::int64_t>(list.size()), grain, [&](std::int64_t begin, std::int64_t end) {
        std::vector<float> group(static_cast<std::size_t>(m_groupRows * m_width));
        std::vector<std::int64_t> held;
        for (std::int64_t i = begin; i < end; ++i) {
            const Run& run = list[static_cast<std::size_t>(i)];
            float* out = rows + run.first * m_width;
            held.clear();
            for (std::int64_t entry = run.first; entry < run.first + run.count; ++entry) {
                held.push_back(rowOf(set, entry));
            }
            if (held.back() == run.count - 1) {  // the group's first rows, all of them
                m_codec->decodeTurned(bytes(head, run.slot), run.count, out);
            } else {
                m_codec->decodeTurned(bytes(head, run.slot), held.back() + 1, group.data());
                copyRows(group.data(), held, m_width, out);
            }
        }
    });
}

void CodedGroups::evict(std::size_t set, std::span<const std::int32_t> evicted) {
    if (evicted.empty()) {
        return;
    }
    Set& own = m_sets[set];
    auto next = evicted.begin();
    std::size_t kept = 0;
    for (std::size_t entry = 0; entry < own.places.size(); ++entry) {
        if (next != evicted.end() && static_cast<std::size_t>(*next) == entry) {
            --own.live[static_cast<std::size_t>(own.places[entry] / m_groupRows)];
            ++next;
        } else {
            own.places[kept++] = own.places[entry];
        }
    }
    own.places.resize(kept);
    removeEmpty(set);
}

/// The last groups move into the slots of those that are empty.
void CodedGroups::removeEmpty(std::size_t set) {
    Set& own = m_sets[set];
    const std::int64_t firstHead = static_cast<std::int64_t>(set) * heads();
    std::vector<std::int32_t> movedTo(own.live.size());
    for (std::size_t slot = 0; slot < own.live.size(); ++slot) {
        movedTo[slot] = static_cast<std::int32_t>(slot);
    }
    std::size_t end = own.live.size();
    for (std::size_t slot = 0; slot < end; ++slot) {
        while (end > slot && own.live[end - 1] == 0) {
            --end;
        }
        if (slot >= end || own.live[slot] > 0) {
            continue;
        }
        --end;
        movedTo[end] = static_cast<std::int32_t>(slot);
        own.live[slot] = own.live[end];
        for (std::int64_t head = firstHead; head < firstHead + heads(); ++head) {
            std::memcpy(bytes(head, static_cast<std::int32_t>(slot)), bytes(head, static_cast<std::int32_t>(end)),
                        static_cast<std::size_t>(m_codec->groupBytes()));
        }
    }
    if (end == own.live.size()) {
        return;
    }
    own.live.resize(end);
    for (std::int32_t& place : own.places) {
        place = placeOf(movedTo[static_cast<std::size_t>(place / m_groupRows)], place % m_groupRows);
    }
    for (std::int64_t head = firstHead; head < firstHead + heads(); ++head) {
        m_memory.release(head, static_cast<std::int64_t>(end));
    }
}

std::int64_t CodedGroups::mergeSparse(std::size_t set) {
    if (m_groupRows == 1) {
        return 0;
    }
    std::int64_t coded = 0;
    std::vector<Run> list = runs(set);
    for (std::size_t i = 0; i + 1 < list.size();) {
        Run& left = list[i];
        const Run& right = list[i + 1];
        if (left.count + right.count > m_groupRows) {
            ++i;
            continue;
        }
        mergeInto(set, left, right);
        left.count += right.count;
        coded += left.count;
        list.erase(list.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    }
    if (coded > 0) {
        removeEmpty(set);
    }
    return coded;
}

void CodedGroups::mergeInto(std::size_t set, const Run& left, const Run& right) {
    Set& own = m_sets[set];
    const std::int64_t rows = left.count + right.count;
    std::vector<float> group(static_cast<std::size_t>(m_groupRows * m_headDim));
    std::vector<float> merged(group.size());
    const std::int64_t firstHead = static_cast<std::int64_t>(set) * heads();
    for (std::int64_t head = firstHead; head < firstHead + heads(); ++head) {
        float* out = merged.data();
        for (const Run& run : {left, right}) {
            m_codec->decode(bytes(head, run.slot), m_groupRows, group.data());
            for (std::int64_t entry = run.first; entry < run.first + run.count; ++entry) {
                std::copy_n(group.data() + rowOf(set, entry) * m_headDim, m_headDim, out);
                out += m_headDim;
            }
        }
        m_codec->encode({.rows = merged.data(), .count = rows}, bytes(head, left.slot));
    }
    own.live[static_cast<std::size_t>(left.slot)] = static_cast<std::int32_t>(rows);
    own.live[static_cast<std::size_t>(right.slot)] = 0;
    for (std::int64_t row = 0; row < rows; ++row) {
        own.places[static_cast<std::size_t>(left.first + row)] = placeOf(left.slot, row);
    }
}

void CodedGroups::clear() {
    for (std::size_t set = 0; set < m_sets.size(); ++set) {
        m_sets[set] = {};
        const std::int64_t firstHead = static_cast<std::int64_t>(set) * heads();
        for (std::int64_t head = firstHead; head < firstHead + heads(); ++head) {
            m_memory.release(head, 0);
        }
    }
}

std::int64_t CodedGroups::payloadBytes() const {
    std::int64_t groups = 0;
    for (const Set& set : m_sets) {
        groups += static_cast<std::int64_t>(set.live.size()) * m_headsPerSet;
    }
    return groups * m_codec->codeBytes();
}

std::int64_t CodedGroups::scaleBytes() const {
    return m_codec->codeBytes() == 0 ? 0 : payloadBytes() / m_codec->codeBytes() * m_codec->scaleBytes();
}

std::int64_t CodedGroups::indexBytes() const {
    std::int64_t bytes = 0;
    for (const Set& set : m_sets) {
        bytes += static_cast<std::int64_t>(set.places.size() * sizeof(std::int32_t) +
                                           set.live.size() * sizeof(std::int32_t));
    }
    return bytes;
}

}  // namespace kvist
