// SPDX-License-Identifier: GPL-3.0-or-later
// Who goes, how layers share, and what is protected, on scores that are given.
#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/policies/wrappers/adakv.h"
#include "engine/policies/wrappers/chunkkv.h"
#include "engine/policies/wrappers/criticalkv.h"
#include "engine/policies/wrappers/pyramidkv.h"

namespace kvist {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Scores that a test names, by set.
class GivenScores : public Scorer {
public:
    explicit GivenScores(std::vector<std::vector<float>> scores) : m_scores(std::move(scores)) {}
    at::Tensor scores(const LayerView& view, std::size_t set, const PlanContext&) const override {
        return at::tensor(m_scores.at(set)).narrow(0, 0, view.count(set)).unsqueeze(0);
    }

private:
    std::vector<std::vector<float>> m_scores;
};

LayerCache cacheOf(std::int64_t heads, std::int64_t count, std::size_t columns = 0) {
    LayerCache cache({1, heads, 2, 64, at::kFloat, at::kCPU}, columns, heads > 1);
    const at::Tensor rows = at::ones({count, heads, 2});
    cache.append(rows, rows, 0);
    return cache;
}

std::vector<std::vector<std::int32_t>> evicted(ScoredPolicy::Parts parts, const LayerCache& cache,
                                               std::int64_t target) {
    return ScoredPolicy(std::move(parts)).plan(LayerView(cache), {0, target, cache.mostHeld()}).evicted;
}

TEST(AdaptiveHeads, HeadsShareButEachKeepsItsBest) {
    const LayerCache cache = cacheOf(2, 6);
    const auto parts = [](double safeguard) {
        return ScoredPolicy::Parts{.scorer = std::make_unique<GivenScores>(std::vector<std::vector<float>>{
                                       {9, 8, 7, 6, 5, 4}, {.3F, .2F, .1F, .6F, .5F, .4F}}),
                                   .selection = std::make_unique<AdaptiveHeads>(safeguard)};
    };
    // 8 of 12 stay. Without a share all of head 0 and the best two of head 1; else each keeps its best 3 or 4.
    EXPECT_THAT(evicted(parts(0), cache, 4), ElementsAre(IsEmpty(), ElementsAre(0, 1, 2, 5)));
    EXPECT_THAT(evicted(parts(0.75), cache, 4), ElementsAre(ElementsAre(5), ElementsAre(0, 1, 2)));
    EXPECT_THAT(evicted(parts(1), cache, 4), ElementsAre(ElementsAre(4, 5), ElementsAre(1, 2)));
}

TEST(AdaptiveHeads, ProtectedEntriesCountInTheShare) {
    const LayerCache cache = cacheOf(2, 6);
    ScoredPolicy::Parts parts{.scorer = std::make_unique<GivenScores>(
                                  std::vector<std::vector<float>>{{0, 5, 4, 3, 2, 0}, {0, .1F, .2F, .3F, .4F, 0}}),
                              .protection = {.sinks = 1, .recent = 1},
                              .selection = std::make_unique<AdaptiveHeads>(0.5)};
    // Each head's sink and newest make up its share of 2 of 4.
    EXPECT_THAT(evicted(std::move(parts), cache, 4), ElementsAre(IsEmpty(), ElementsAre(1, 2, 3, 4)));
}

TEST(AdaptiveHeads, MemoryOfEvictedEntriesGoesBack) {
    LayerCache cache({1, 2, 64, 4096, at::kFloat, at::kCPU}, 0, true);
    const at::Tensor rows = at::ones({2048, 2, 64});
    cache.append(rows, rows, 0);
    std::vector<float> high(2048, 2.0F);
    std::vector<float> low(2048, 1.0F);
    ScoredPolicy policy({.scorer = std::make_unique<GivenScores>(std::vector<std::vector<float>>{high, low}),
                         .selection = std::make_unique<AdaptiveHeads>(0.25)});
    cache.apply(policy.plan(LayerView(cache), {0, 1024, 2048}));
    EXPECT_THAT(cache.held(), ElementsAre(2048 - 256, 256));
    EXPECT_EQ(cache.stats().payload, 2048 * 2 * 64 * 4);
    EXPECT_LE(cache.stats().allocated, 2048 * 2 * 64 * 4 + 4 * 2 * 4096);
}

TEST(ChunkSelection, StretchesGoAsAWhole) {
    const LayerCache cache = cacheOf(1, 10);
    const auto parts = [] {
        return ScoredPolicy::Parts{
            .scorer = std::make_unique<GivenScores>(std::vector<std::vector<float>>{{1, 1, 1, 5, 0, 0, 4, 4, 4, 2}}),
            .selection = std::make_unique<ChunkSelection>(3)};
    };
    // Means 1, 5/3, 4, 2: the first stretch goes, then the second.
    EXPECT_THAT(evicted(parts(), cache, 7), ElementsAre(ElementsAre(0, 1, 2)));
    EXPECT_THAT(evicted(parts(), cache, 6), ElementsAre(ElementsAre(0, 1, 2, 3, 4, 5)));
    EXPECT_THAT(evicted(parts(), cache, 3), ElementsAre(ElementsAre(0, 1, 2, 3, 4, 5, 9)));
}

TEST(ChunkSelection, StretchesAreThoseOfTheTextAfterEvictions) {
    LayerCache cache = cacheOf(1, 9);
    cache.apply({{{0, 1, 2}}});
    const at::Tensor row = at::ones({1, 1, 2});
    cache.append(row, row, 9);
    ScoredPolicy::Parts parts{
        .scorer = std::make_unique<GivenScores>(std::vector<std::vector<float>>{{3, 3, 3, 1, 1, 1, 2}}),
        .selection = std::make_unique<ChunkSelection>(3)};
    EXPECT_THAT(evicted(std::move(parts), cache, 6), ElementsAre(ElementsAre(3, 4, 5)));
}

TEST(PyramidBudgets, FallEvenlyAroundTheMean) {
    const PyramidBudgets pyramid(20);
    EXPECT_EQ(pyramid.entries(52, 12, 0, 3), 12 + 78);
    EXPECT_EQ(pyramid.entries(52, 12, 1, 3), 12 + 40);
    EXPECT_EQ(pyramid.entries(52, 12, 2, 3), 12 + 2);
}

TEST(PyramidBudgets, MeanIsTheBudgetWhateverTheNumbers) {
    for (const std::int64_t layers : {1, 2, 3, 24, 28, 36}) {
        for (std::int64_t budget = 10; budget < 700; budget += 13) {
            std::int64_t sum = 0;
            std::int64_t before = 1 << 20;
            for (std::int64_t layer = 0; layer < layers; ++layer) {
                const std::int64_t entries = PyramidBudgets(20).entries(budget, 32, layer, layers);
                EXPECT_LE(entries, before);
                before = entries;
                sum += entries;
            }
            EXPECT_EQ(sum, budget * layers) << budget << " in " << layers << " layers";
        }
    }
}

TEST(PyramidBudgets, SmallBudgetsAreEven) {
    EXPECT_EQ(PyramidBudgets(20).entries(51, 32, 0, 6), 51);
    EXPECT_EQ(PyramidBudgets(20).entries(16, 32, 5, 6), 16);
    EXPECT_EQ(PyramidBudgets(1).entries(100, 32, 0, 6), 100);
}

TEST(CriticalScorer, NormsOfTheProjectedValues) {
    // One KV head of two query heads; values (1, 2); blocks [[1, 0], [0, -1]] and [[2, 0], [0, 2]].
    const at::Tensor values = at::tensor({1.0, 2.0}).view({1, 1, 2});
    const at::Tensor weight = at::tensor({1.0, 0.0, 2.0, 0.0, 0.0, -1.0, 0.0, 2.0}).view({2, 4});
    EXPECT_DOUBLE_EQ(CriticalScorer::outputNorms(values, weight).item<double>(), (3.0 + 6.0) / 2);
}

TEST(CriticalScorer, HalfByTheScoresTheRestByTheirEffect) {
    LayerCache cache = cacheOf(1, 6, 1);
    const std::vector<float> norms = {1, 1, 1, 10, 10, 1};
    std::copy(norms.begin(), norms.end(), cache.index(0).column(0).begin());
    const auto parts = [](double share) {
        auto base = std::make_unique<GivenScores>(std::vector<std::vector<float>>{{6, 5, 4, 3, 2, 1}});
        return ScoredPolicy::Parts{.scorer =
                                       std::make_unique<CriticalScorer>(std::move(base), Protection{}, share, 0.0)};
    };
    // Scores times norms: 6 5 4 30 20 1.
    EXPECT_THAT(evicted(parts(0.5), cache, 4), ElementsAre(ElementsAre(2, 5)));
    EXPECT_THAT(evicted(parts(0.5), cache, 2), ElementsAre(ElementsAre(1, 2, 4, 5)));
    EXPECT_THAT(evicted(parts(1), cache, 2), ElementsAre(ElementsAre(2, 3, 4, 5)));
    EXPECT_THAT(evicted(parts(0), cache, 2), ElementsAre(ElementsAre(0, 1, 2, 5)));
}

TEST(Protection, AnIntervalMakesRoomAheadWithinTheBudget) {
    const Protection protection{.sinks = 2, .interval = 20};
    EXPECT_EQ(protection.targetOf({0, 92, 500, 8}), 80) << "budget 100, room for 20 instead of 8";
    EXPECT_EQ(protection.targetOf({0, 68, 500, 32}), 68) << "a longer chunk needs more";
    EXPECT_EQ(protection.targetOf({0, 100, 500, 0}), 100) << "after a chunk nothing is coming";
    EXPECT_EQ(protection.targetOf({0, 19, 500, 1}), 10) << "at most half of the budget";
    EXPECT_EQ((Protection{.sinks = 2, .interval = 1}).targetOf({0, 99, 500, 1}), 99);
}

TEST(Protection, RecentEntriesMakeWayForSinks) {
    const Protection protection{.sinks = 4, .recent = 10};
    EXPECT_EQ(protection.recentOf(100), 10);
    EXPECT_EQ(protection.recentOf(12), 8);
    EXPECT_EQ(protection.recentOf(4), 0);
    EXPECT_EQ((Protection{.recent = 3, .recentShare = 0.5}).recentOf(9), 4);
    EXPECT_EQ((Protection{.recent = 3, .recentShare = 0.5}).recentOf(4), 3);
}

}  // namespace
}  // namespace kvist
