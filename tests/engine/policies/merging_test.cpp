// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/policies/wrappers/cam.h"
#include "engine/policies/wrappers/merge_similar.h"

namespace kvist {
namespace {

/// One KV head with these keys and values of two channels, and the given attention in column 0.
LayerCache cacheOf(const std::vector<float>& keys, const std::vector<float>& values,
                   const std::vector<float>& attention = {}) {
    const auto count = static_cast<std::int64_t>(values.size()) / 2;
    LayerCache cache({1, 1, 2, 64, at::kFloat, at::kCPU}, attention.empty() ? 0 : 1, false);
    cache.append(at::tensor(keys).view({count, 1, 2}), at::tensor(values).view({count, 1, 2}), 0);
    if (!attention.empty()) {
        std::copy(attention.begin(), attention.end(), cache.index(0).column(0).begin());
    }
    return cache;
}

void expectMerges(const std::vector<ValueMerge>& merges, const std::vector<ValueMerge>& expected) {
    ASSERT_EQ(merges.size(), expected.size());
    for (std::size_t i = 0; i < merges.size(); ++i) {
        EXPECT_EQ(merges[i].from, expected[i].from);
        EXPECT_EQ(merges[i].to, expected[i].to);
        EXPECT_FLOAT_EQ(merges[i].weight, expected[i].weight);
    }
}

const std::vector<float> kRows = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0};

TEST(CacheMerging, SpreadsTheExpectedShareOverTheNextThatStay) {
    const CacheMerging merging(2, false, 0);
    // More attention than the mean of the next two: all of it, half to each; entry 2 goes too and gets nothing.
    expectMerges(merging.merges(LayerView(cacheOf(kRows, kRows, {.1F, .6F, .2F, .5F, .3F})), 0, {}, {1, 2}, 0),
                 {{1, 3, .5F}, {1, 4, .5F}, {2, 3, .25F}, {2, 4, .25F}});
}

TEST(CacheMerging, NothingIsLeftToWhomNothingFollowsOrWhoGotNothing) {
    const CacheMerging merging(2, false, 0);
    expectMerges(merging.merges(LayerView(cacheOf(kRows, kRows, {0, .6F, .2F, .5F, .3F})), 0, {}, {0, 4}, 0), {});
    expectMerges(merging.merges(LayerView(cacheOf(kRows, kRows, {0, 0, 0, 0, 0})), 0, {}, {0, 1}, 0), {});
    expectMerges(merging.merges(LayerView(cacheOf(kRows, kRows, {.1F, 0, 0, 0, 0})), 0, {}, {0}, 0),
                 {{0, 1, .5F}, {0, 2, .5F}});
}

TEST(CacheMerging, ValuesOfTheSpecification) {
    // Attention .6 against a mean of .4: 4 over 1 and 3 gives 3 and 5; .2 against .4: 2 and 4.
    for (const auto& [own, expected] : {std::pair{.6F, std::pair{3.0F, 5.0F}}, {.2F, {2.0F, 4.0F}}}) {
        LayerCache cache = cacheOf({0, 0, 0, 0, 0, 0}, {4, 4, 1, 1, 3, 3}, {own, .5F, .3F});
        const auto merges = CacheMerging(2, false, 0).merges(LayerView(cache), 0, {}, {0}, 0);
        cache.apply({{{0}}, {merges}});
        const at::Tensor values = LayerView(cache).values(0);
        EXPECT_FLOAT_EQ(values[0][0][0].item<float>(), expected.first);
        EXPECT_FLOAT_EQ(values[0][1][0].item<float>(), expected.second);
    }
}

TEST(CacheMerging, DrawsMergeAllOrNothingAsOftenAsTheChance) {
    constexpr int kDraws = 2000;
    const LayerCache cache = cacheOf({0, 0, 0, 0, 0, 0}, {4, 4, 1, 1, 3, 3}, {.1F, .5F, .3F});  // chance 1 / 4
    int merged = 0;
    for (std::uint64_t seed = 0; seed < kDraws; ++seed) {
        const auto merges = CacheMerging(2, true, seed).merges(LayerView(cache), 0, {}, {0}, 0);
        if (!merges.empty()) {
            expectMerges(merges, {{0, 1, .5F}, {0, 2, .5F}});
            ++merged;
        }
    }
    EXPECT_NEAR(merged, kDraws / 4.0, 4 * std::sqrt(kDraws * 3.0 / 16));
}

TEST(SimilarMerging, WeighsBySimilarityAndNorms) {
    // Keys (1, 0) and (0, 1) stay; (3, 4) goes to the second: cosine .8, norms 2 and 6: weight .8 · 2 / 8 = .2.
    LayerCache cache = cacheOf({1, 0, 0, 1, 3, 4}, {5, 5, 6, 0, 0, 2});
    const auto merges = SimilarMerging(0, false).merges(LayerView(cache), 0, {}, {2}, 0);
    ASSERT_EQ(merges.size(), 2u);
    cache.apply({{{2}}, {merges}});
    const at::Tensor values = LayerView(cache).values(0)[0];
    EXPECT_NEAR(values[0][0].item<double>(), 5, 1e-6);
    EXPECT_NEAR(values[1][0].item<double>(), 6 / 1.2, 1e-5);
    EXPECT_NEAR(values[1][1].item<double>(), .2 * 2 / 1.2, 1e-5);
}

TEST(SimilarMerging, ManyEntriesGoToTheirNearest) {
    // Keys turn by less than half a circle; of 2,500 every hundredth stays.
    constexpr std::int32_t kEntries = 2500;
    LayerCache cache({1, 1, 2, kEntries, at::kFloat, at::kCPU}, 0, false);
    const at::Tensor angles = at::linspace(0, 3, kEntries);
    const at::Tensor keys = at::stack({angles.cos(), angles.sin()}, 1).unsqueeze(1);
    cache.append(keys, at::ones_like(keys), 0);
    std::vector<std::int32_t> evicted;
    for (std::int32_t entry = 0; entry < kEntries; ++entry) {
        if (entry % 100 != 0) {
            evicted.push_back(entry);
        }
    }
    const auto merges = SimilarMerging(0, false).merges(LayerView(cache), 0, {}, evicted, 0);
    ASSERT_GE(merges.size(), evicted.size());
    for (std::size_t i = 0; i < evicted.size(); ++i) {
        EXPECT_EQ(merges[i].from, evicted[i]);
        if (evicted[i] % 100 != 50) {  // half way
            EXPECT_EQ(merges[i].to, std::min((evicted[i] + 50) / 100 * 100, kEntries - 100));
        }
    }
}

TEST(SimilarMerging, UnlikeKeysLeaveNothing) {
    LayerCache cache = cacheOf({1, 0, 0, 1, 3, 4}, {5, 5, 6, 0, 0, 2});
    cache.apply({{{2}}, {SimilarMerging(0.9, false).merges(LayerView(cache), 0, {}, {2}, 0)}});
    EXPECT_TRUE(at::equal(LayerView(cache).values(0)[0], at::tensor({5.0F, 5.0F, 6.0F, 0.0F}).view({2, 2})));
}

}  // namespace
}  // namespace kvist
