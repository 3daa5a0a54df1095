// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/cache_memory.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace kvist {
namespace {

const std::int64_t kPage = ::sysconf(_SC_PAGESIZE);

/// 256 bytes a row, so that 16 rows fill a page of 4 KiB.
CacheShape shape(std::int64_t capacity) {
    return {.layers = 1, .kvHeads = 2, .headDim = 64, .capacity = capacity, .type = at::kFloat, .device = at::kCPU};
}

TEST(CacheMemory, IsATensorOfTheWholeCapacityThatTakesNothingYet) {
    const CacheMemory memory(shape(1 << 20));
    EXPECT_EQ(memory.tensor().sizes(), (at::IntArrayRef{2, 1 << 20, 64}));
    EXPECT_EQ(memory.tensor().stride(2), 1);
    EXPECT_EQ(memory.allocatedBytes(), 0);
}

TEST(CacheMemory, TakesWholePagesPerHead) {
    CacheMemory memory(shape(1000));
    memory.use(0, 1);
    EXPECT_EQ(memory.allocatedBytes(), kPage);
    memory.use(1, kPage / 256 + 1);
    EXPECT_EQ(memory.allocatedBytes(), 3 * kPage);
    memory.use(1, 1);
    EXPECT_EQ(memory.allocatedBytes(), 3 * kPage) << "only release() gives back";
}

TEST(CacheMemory, GivesBackButForOnePageOfSlack) {
    CacheMemory memory(shape(1000));
    memory.use(0, 1000);
    memory.release(0, 10);
    EXPECT_LE(memory.allocatedBytes(), 10 * 256 + 2 * kPage);
    memory.release(0, 0);
    EXPECT_EQ(memory.allocatedBytes(), 0);
}

TEST(CacheMemory, WhatIsGivenBackIsReallyGoneAndTheRestStays) {
    CacheMemory memory(shape(1000));
    memory.use(0, 1000);
    memory.use(1, 1000);
    memory.tensor().fill_(1.0F);
    memory.release(0, 100);
    EXPECT_EQ(memory.tensor()[0].narrow(0, 0, 100).min().item<float>(), 1.0F);
    EXPECT_EQ(memory.tensor()[0].narrow(0, 900, 100).max().item<float>(), 0.0F);
    EXPECT_EQ(memory.tensor()[1].min().item<float>(), 1.0F) << "the other head is untouched";
}

TEST(CacheMemory, MovesWithItsContents) {
    CacheMemory memory(shape(100));
    memory.use(0, 100);
    memory.tensor()[0].fill_(2.0F);
    const CacheMemory moved(std::move(memory));
    EXPECT_EQ(moved.tensor()[0].sum().item<float>(), 2.0F * 100 * 64);
    EXPECT_GT(moved.allocatedBytes(), 0);
}

}  // namespace
}  // namespace kvist
