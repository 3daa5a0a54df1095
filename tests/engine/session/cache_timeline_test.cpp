// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/cache_timeline.h"

#include <gtest/gtest.h>

namespace kvist {
namespace {

CacheStats payload(std::int64_t bytes) {
    CacheStats stats;
    stats.payload = bytes;
    return stats;
}

/// Two layers, two segments of two chunks; layer l holds 10 · (l + 1) after each chunk, one more before pruning.
void recordLayer(CacheTimeline& timeline, std::size_t chunk, std::int64_t layer) {
    const std::int64_t bytes = 10 * (layer + 1) + static_cast<std::int64_t>(chunk);
    timeline.record(chunk, 100 + static_cast<std::int64_t>(chunk), payload(bytes + 1), payload(bytes));
}

TEST(CacheTimeline, OrderOfWorkDoesNotMatter) {
    CacheTimeline layerwise;
    layerwise.begin();
    for (std::int64_t layer = 0; layer < 2; ++layer) {
        for (std::size_t chunk = 0; chunk < 2; ++chunk) {
            recordLayer(layerwise, chunk, layer);
        }
    }
    CacheTimeline ordered;
    for (std::size_t chunk = 0; chunk < 2; ++chunk) {
        ordered.begin();
        for (std::int64_t layer = 0; layer < 2; ++layer) {
            ordered.record(0, 100 + static_cast<std::int64_t>(chunk),
                           payload(10 * (layer + 1) + static_cast<std::int64_t>(chunk) + 1),
                           payload(10 * (layer + 1) + static_cast<std::int64_t>(chunk)));
        }
    }
    ASSERT_EQ(layerwise.moments().size(), 2u);
    ASSERT_EQ(ordered.moments().size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_EQ(layerwise.moments()[i].tokensSeen, ordered.moments()[i].tokensSeen);
        EXPECT_EQ(layerwise.moments()[i].live.payload, ordered.moments()[i].live.payload);
        EXPECT_EQ(layerwise.moments()[i].full.payload, ordered.moments()[i].full.payload);
    }
    EXPECT_EQ(layerwise.moments()[1].live.payload, 32);
    EXPECT_EQ(layerwise.peak().payload, 34) << "with the chunk appended, before the pruning";
}

TEST(CacheTimeline, ClearStartsAfresh) {
    CacheTimeline timeline;
    timeline.begin();
    recordLayer(timeline, 0, 0);
    timeline.clear();
    EXPECT_TRUE(timeline.moments().empty());
    EXPECT_EQ(timeline.peak().payload, 0);
}

}  // namespace
}  // namespace kvist
