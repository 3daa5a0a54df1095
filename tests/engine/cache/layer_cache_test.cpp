// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/layer_cache.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "engine/cache/kv_cache.h"
#include "tests/engine/support/engine_error_matcher.h"

namespace kvist {
namespace {

using testing::throwsEngineError;

CacheShape shape(at::ScalarType type = at::kFloat) {
    return {.layers = 3, .kvHeads = 2, .headDim = 8, .capacity = 64, .type = type, .device = at::kCPU};
}

/// Rows whose numbers say which position and head they belong to.
at::Tensor rows(std::int64_t first, std::int64_t count, double offset) {
    const at::Tensor position = at::arange(first, first + count, at::kFloat).view({count, 1, 1});
    const at::Tensor head = at::arange(0, 2, at::kFloat).view({1, 2, 1}) * 0.25;
    return (position + head + offset).expand({count, 2, 8}).contiguous();
}

std::vector<std::int32_t> randomEntries(std::int64_t count, std::mt19937& random) {
    std::vector<std::int32_t> all(static_cast<std::size_t>(count));
    std::iota(all.begin(), all.end(), 0);
    std::vector<std::int32_t> some;
    std::sample(all.begin(), all.end(), std::back_inserter(some),
                std::uniform_int_distribution<std::int64_t>(0, count)(random), random);
    return some;
}

void checkRows(const LayerCache& cache) {
    const std::int64_t headsPerIndex = 2 / static_cast<std::int64_t>(cache.indexes());
    for (std::int64_t head = 0; head < 2; ++head) {
        const EntryIndex& index = cache.index(static_cast<std::size_t>(head / headsPerIndex));
        ASSERT_EQ(cache.held()[static_cast<std::size_t>(head)], index.count());
        for (std::int64_t i = 0; i < index.count(); ++i) {
            const auto slot = static_cast<std::int64_t>(index.slot(i));
            const double expected = static_cast<double>(index.position(i)) + 0.25 * static_cast<double>(head);
            ASSERT_TRUE((cache.keys()[head][slot] == expected).all().item<bool>()) << "key of entry " << i;
            ASSERT_TRUE((cache.values()[head][slot] == expected + 1000).all().item<bool>()) << "value of entry " << i;
        }
    }
}

class LayerCacheTest : public ::testing::TestWithParam<bool> {};

TEST_P(LayerCacheTest, KeysValuesAndPositionsStayTogether) {
    std::mt19937 random(11);
    for (int history = 0; history < 20; ++history) {
        LayerCache cache(shape(), 1, GetParam());
        std::int64_t seen = 0;
        for (int step = 0; step < 12; ++step) {
            const std::int64_t added = std::uniform_int_distribution<std::int64_t>(1, 20)(random);
            if (cache.mostHeld() + added <= 64) {
                cache.append(rows(seen, added, 0), rows(seen, added, 1000), seen);
                seen += added;
            }
            EvictionPlan plan;
            for (std::size_t i = 0; i < cache.indexes(); ++i) {
                plan.evicted.push_back(randomEntries(cache.index(i).count(), random));
            }
            cache.apply(plan);
            ASSERT_NO_FATAL_FAILURE(checkRows(cache)) << "history " << history << ", step " << step;
        }
    }
}

TEST_P(LayerCacheTest, BytesAreExact) {
    LayerCache cache(shape(at::kHalf), 1, GetParam());
    cache.append(rows(0, 40, 0), rows(0, 40, 1000), 0);
    EXPECT_EQ(cache.stats().payload, 2 * 2 * 8 * 40 * 2);
    const std::int64_t sets = GetParam() ? 2 : 1;
    EXPECT_EQ(cache.stats().metadata, sets * 40 * 8);
    EXPECT_EQ(cache.stats().policyState, sets * 40 * 4);
    cache.apply({std::vector<std::vector<std::int32_t>>(cache.indexes(), {1, 5, 39})});
    EXPECT_EQ(cache.stats().payload, 2 * 2 * 8 * 37 * 2);
    EXPECT_GE(cache.stats().allocated, cache.stats().payload);
    cache.clear();
    EXPECT_EQ(cache.stats().payload, 0);
    EXPECT_EQ(cache.stats().metadata, 0);
    EXPECT_EQ(cache.stats().allocated, 0);
}

TEST_P(LayerCacheTest, HoldsItsCapacityAndNoMore) {
    LayerCache cache(shape(), 0, GetParam());
    cache.append(rows(0, 60, 0), rows(0, 60, 1000), 0);
    EXPECT_THAT([&] { cache.append(rows(60, 5, 0), rows(60, 5, 1000), 60); },
                throwsEngineError(ErrorKind::Internal, "64"));
    cache.append(rows(60, 4, 0), rows(60, 4, 1000), 60);
    EXPECT_EQ(cache.mostHeld(), 64);
    checkRows(cache);
}

TEST_P(LayerCacheTest, AMalformedPlanChangesNothing) {
    LayerCache cache(shape(), 0, GetParam());
    cache.append(rows(0, 10, 0), rows(0, 10, 1000), 0);
    EXPECT_THAT([&] { cache.apply({std::vector<std::vector<std::int32_t>>(cache.indexes(), {10})}); },
                throwsEngineError(ErrorKind::Internal, "10"));
    EXPECT_EQ(cache.mostHeld(), 10);
    checkRows(cache);
}

INSTANTIATE_TEST_SUITE_P(Indexing, LayerCacheTest, ::testing::Bool(),
                         [](const auto& tested) { return tested.param ? "PerHead" : "Shared"; });

TEST(LayerCache, HeadsMayHoldDifferentNumbers) {
    LayerCache cache(shape(), 0, true);
    cache.append(rows(0, 10, 0), rows(0, 10, 1000), 0);
    cache.apply({{{0, 1, 2}, {9}}});
    EXPECT_EQ(cache.held()[0], 7);
    EXPECT_EQ(cache.held()[1], 9);
    EXPECT_EQ(cache.mostHeld(), 9);
    cache.append(rows(10, 2, 0), rows(10, 2, 1000), 10);
    checkRows(cache);
    EXPECT_EQ(cache.stats().payload, 2 * 8 * (9 + 11) * 4);
}

TEST(KvCache, PayloadOfPublishedModels) {
    for (const auto& [layers, heads, width, bytes] : {std::array<std::int64_t, 4>{24, 2, 64, 12288},
                                                      {28, 2, 128, 28672},
                                                      {36, 2, 128, 36864},
                                                      {28, 4, 128, 57344}}) {
        KvCache cache({layers, heads, width, 16, at::kBFloat16, at::kCPU}, 0, false);
        const at::Tensor entries = at::zeros({3, heads, width}, at::kBFloat16);
        for (std::int64_t layer = 0; layer < layers; ++layer) {
            cache.layer(layer).append(entries, entries, 0);
        }
        EXPECT_EQ(cache.stats().payload, 3 * bytes);
        cache.clear();
        EXPECT_EQ(cache.stats().payload, 0);
    }
}

}  // namespace
}  // namespace kvist
