// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/entry_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

namespace kvist {
namespace {

/// The same bookkeeping in the plainest way, beside an array of rows that follows the moves.
class Mirror {
public:
    explicit Mirror(std::int64_t capacity) : m_index(capacity, 1), m_rows(static_cast<std::size_t>(capacity), -1) {}

    void append(std::int64_t first, std::int64_t count) {
        const std::int64_t held = m_index.count();
        m_index.append(first, count);
        for (std::int64_t i = 0; i < count; ++i) {
            EXPECT_EQ(m_index.column(0)[static_cast<std::size_t>(held + i)], 0.0F) << "new columns start at 0";
            m_index.column(0)[static_cast<std::size_t>(held + i)] = scoreOf(first + i);
            m_rows[static_cast<std::size_t>(held + i)] = first + i;
            m_positions.push_back(first + i);
        }
    }

    void evict(const std::vector<std::int32_t>& entries) {
        for (const auto& [from, to] : m_index.evict(entries)) {
            m_rows[static_cast<std::size_t>(to)] = m_rows[static_cast<std::size_t>(from)];
            ++m_moved;
        }
        for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
            m_positions.erase(m_positions.begin() + *entry);
        }
    }

    void check() const {
        ASSERT_EQ(m_index.count(), static_cast<std::int64_t>(m_positions.size()));
        ASSERT_EQ(m_index.column(0).size(), m_positions.size());
        std::set<std::size_t> slots;
        for (std::int64_t i = 0; i < m_index.count(); ++i) {
            const std::int64_t position = m_positions[static_cast<std::size_t>(i)];
            ASSERT_EQ(m_index.position(i), position);
            ASSERT_LT(m_index.slot(i), m_positions.size()) << "a gap among the slots";
            ASSERT_TRUE(slots.insert(m_index.slot(i)).second) << "two entries in one slot";
            ASSERT_EQ(m_rows[m_index.slot(i)], position) << "a row was left behind";
            ASSERT_EQ(m_index.column(0)[m_index.slot(i)], scoreOf(position)) << "a score was left behind";
        }
    }

    std::int64_t count() const { return m_index.count(); }
    std::int64_t moved() const { return m_moved; }
    const EntryIndex& index() const { return m_index; }

private:
    static float scoreOf(std::int64_t position) { return 0.5F + static_cast<float>(position); }

    EntryIndex m_index;
    std::vector<std::int64_t> m_rows;
    std::vector<std::int64_t> m_positions;
    std::int64_t m_moved = 0;
};

TEST(EntryIndex, FollowsAnyHistoryOfAppendsAndEvictions) {
    std::mt19937 random(5);
    for (int history = 0; history < 200; ++history) {
        Mirror mirror(64);
        std::int64_t seen = 0;
        for (int step = 0; step < 20; ++step) {
            const std::int64_t added = std::uniform_int_distribution<std::int64_t>(0, 64 - mirror.count())(random);
            mirror.append(seen, added);
            seen += added;
            std::vector<std::int32_t> all(static_cast<std::size_t>(mirror.count()));
            std::iota(all.begin(), all.end(), 0);
            std::vector<std::int32_t> gone;
            std::sample(all.begin(), all.end(), std::back_inserter(gone),
                        std::uniform_int_distribution<std::int64_t>(0, mirror.count())(random), random);
            mirror.evict(gone);
            ASSERT_NO_FATAL_FAILURE(mirror.check()) << "history " << history << ", step " << step;
        }
    }
}

TEST(EntryIndex, MovesNoMoreRowsThanItEvicts) {
    Mirror mirror(100);
    mirror.append(0, 100);
    mirror.evict({4});
    EXPECT_EQ(mirror.moved(), 1);
    mirror.append(100, 1);
    mirror.evict({97, 98, 99});  // the newest, of which one lies in the hole
    EXPECT_LE(mirror.moved(), 2);
    mirror.check();
}

TEST(EntryIndex, CountsItsBytes) {
    Mirror mirror(100);
    mirror.append(0, 30);
    EXPECT_EQ(mirror.index().metadataBytes(), 30 * 2 * 4) << "position and order, 4 bytes each";
    EXPECT_EQ(mirror.index().columnBytes(), 30 * 4);
    mirror.evict({0, 1});
    EXPECT_EQ(mirror.index().metadataBytes(), 28 * 2 * 4);
    EXPECT_EQ(mirror.index().columnBytes(), 28 * 4);
}

TEST(EntryIndex, ClearForgetsEverything) {
    EntryIndex index(10, 2);
    index.append(0, 10);
    index.clear();
    EXPECT_EQ(index.count(), 0);
    EXPECT_EQ(index.columnBytes(), 0);
    index.append(0, 3);
    EXPECT_EQ(index.position(2), 2);
}

}  // namespace
}  // namespace kvist
