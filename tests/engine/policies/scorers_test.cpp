// SPDX-License-Identifier: GPL-3.0-or-later
// Scores of small layers that can be worked out by hand.
#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/policies/scored_policy.h"
#include "engine/policies/scorers/expected_attention_scorer.h"
#include "engine/policies/scorers/h2o_scorer.h"
#include "engine/policies/scorers/keydiff_scorer.h"
#include "engine/policies/scorers/knorm_scorer.h"
#include "engine/policies/scorers/lagkv_scorer.h"
#include "engine/policies/scorers/random_scorer.h"
#include "engine/policies/scorers/rkv_scorer.h"
#include "engine/policies/scorers/snapkv_scorer.h"
#include "engine/policies/scorers/tova_scorer.h"
#include "tests/engine/support/fed_layer.h"

namespace kvist {
namespace {

using ::testing::ElementsAre;
using testing::FedLayer;

template <typename T>
ParameterMap with(const ParameterMap& given = {}) {
    return completed(T::info().parameters, given, T::info().id);
}

std::vector<float> numbers(const at::Tensor& tensor) {
    const at::Tensor flat = tensor.to(at::kFloat).flatten().contiguous();
    return {flat.data_ptr<float>(), flat.data_ptr<float>() + flat.numel()};
}

void expectNear(const at::Tensor& scores, const std::vector<float>& expected, float tolerance = 1e-4F) {
    EXPECT_THAT(numbers(scores), ::testing::Pointwise(::testing::FloatNear(tolerance), expected));
}

/// Positions that all heads keep.
std::vector<std::int64_t> kept(ScoredPolicy& policy, FedLayer& layer, std::int64_t target) {
    layer.apply(policy.plan(layer.view(), {0, target, layer.tokensSeen()}));
    return layer.positions().front();
}

/// One KV head of `size` channels whose i-th key is the i-th unit vector, and whose last query pays exactly
/// `attention` to the entries, one row per query head. Earlier queries are zero.
FedLayer attending(Scorer& scorer, const std::vector<std::vector<double>>& attention, std::int64_t size) {
    const auto heads = static_cast<std::int64_t>(attention.size());
    const auto count = static_cast<std::int64_t>(attention.front().size());
    FedLayer layer({1, 1, size, count, at::kDouble, at::kCPU}, scorer.needs());
    at::Tensor queries = at::zeros({count, heads, size}, at::kDouble);
    for (std::int64_t head = 0; head < heads; ++head) {
        const at::Tensor row = at::tensor(attention[static_cast<std::size_t>(head)], at::kDouble);
        queries[count - 1][head].narrow(0, 0, count).copy_((row + 1e-300).log() * std::sqrt(double(size)));
    }
    const at::Tensor keys = at::eye(count, size, at::kDouble).unsqueeze(1);
    layer.feed(scorer, queries, keys, at::ones_like(keys));
    return layer;
}

/// One KV head with these keys, one query head of zeros.
FedLayer holding(Scorer& scorer, const at::Tensor& keys) {
    FedLayer layer({1, 1, keys.size(1), keys.size(0), at::kDouble, at::kCPU}, scorer.needs());
    const at::Tensor rows = keys.to(at::kDouble).unsqueeze(1);
    layer.feed(scorer, at::zeros_like(rows), rows, at::ones_like(rows));
    return layer;
}

TEST(H2oScorer, SumsTheMeanOfTheHeads) {
    // Two query heads, two causal queries: rows [1, 0], [.5, .5] and [1, 0], [.25, .75].
    H2oScorer scorer(with<H2oScorer>());
    FedLayer layer = attending(scorer, {{.5, .5}, {.25, .75}}, 2);
    expectNear(scorer.scores(layer.view(), 0, {0, 1, 2}), {1.375F, .625F});
    H2oScorer perQuery(with<H2oScorer>({{"per_query", true}}));
    expectNear(perQuery.scores(layer.view(), 0, {0, 1, 2}), {1.375F / 2, .625F});
}

TEST(H2oScorer, HalfOfTheBudgetIsForTheNewest) {
    const ParameterMap parameters = with<H2oScorer>();
    ScoredPolicy policy(
        {.scorer = std::make_unique<H2oScorer>(parameters), .protection = Protection::from(parameters)});
    H2oScorer fed(parameters);
    FedLayer layer = attending(fed, {{.1, .1, .1, .1, .1, .1, .1, .3}}, 8);
    const auto column = layer.cache().index(0).column(0);
    const std::vector<float> sums = {.1F, .9F, .2F, .8F, .3F, .7F, 0, 0};
    std::copy(sums.begin(), sums.end(), column.begin());
    EXPECT_THAT(kept(policy, layer, 5), ElementsAre(1, 3, 5, 6, 7));  // floor(5 / 2) newest
}

TEST(TovaScorer, AveragesAllHeadsAndTheNewestCompetes) {
    TovaScorer scorer(with<TovaScorer>());
    FedLayer layer = attending(scorer, {{.1, .2, .3, .4}, {.5, .1, .1, .3}}, 4);
    expectNear(scorer.scores(layer.view(), 0, {0, 2, 4}), {.3F, .15F, .2F, .35F});
    ScoredPolicy policy({.scorer = std::make_unique<TovaScorer>(with<TovaScorer>()), .perHead = false});
    EXPECT_THAT(kept(policy, layer, 2), ElementsAre(0, 3));

    FedLayer other = attending(scorer, {{.5, .3, .15, .05}}, 4);
    EXPECT_THAT(kept(policy, other, 2), ElementsAre(0, 1));
}

TEST(SnapKvScorer, PoolsTheVotesOfNeighbours) {
    const auto pooled = [](const char* pooling) {
        SnapKvScorer scorer(with<SnapKvScorer>(
            {{"window", std::int64_t{1}}, {"kernel", std::int64_t{3}}, {"pooling", std::string(pooling)}}));
        FedLayer layer = attending(scorer, {{.1, 0, .6, 0, .3, 0}}, 8);
        return scorer.scores(layer.view(), 0, {0, 3, 6}).narrow(1, 0, 5);
    };
    expectNear(pooled("max"), {.1F, .6F, .6F, .6F, .3F});
    expectNear(pooled("mean"), {.1F / 3, .7F / 3, .2F, .3F, .1F});
}

TEST(SnapKvScorer, KeepsItsWindowAndTheBestBeforeIt) {
    const ParameterMap parameters = with<SnapKvScorer>({{"window", std::int64_t{1}}, {"kernel", std::int64_t{3}}});
    ScoredPolicy policy({.scorer = std::make_unique<SnapKvScorer>(parameters)});
    SnapKvScorer fed(parameters);
    FedLayer layer = attending(fed, {{.1, 0, .6, 0, .3, 0}}, 8);
    EXPECT_THAT(kept(policy, layer, 3), ElementsAre(1, 3, 5));
}

TEST(KnormScorer, SmallKeysStay) {
    KnormScorer scorer(with<KnormScorer>());
    FedLayer layer = holding(scorer, at::tensor({3.0, 4.0, 0.0, 1.0, 0.0, 0.0}).view({3, 2}));
    expectNear(scorer.scores(layer.view(), 0, {0, 2, 3}), {-5, -1, 0});
    ScoredPolicy policy({.scorer = std::make_unique<KnormScorer>(with<KnormScorer>())});
    EXPECT_THAT(kept(policy, layer, 2), ElementsAre(1, 2));
}

TEST(KeyDiffScorer, KeysUnlikeTheMeanStayAndTiesGoToTheLowerPosition) {
    const ParameterMap parameters = with<KeyDiffScorer>({{"center_keys", false}});
    KeyDiffScorer scorer(parameters);
    FedLayer layer = holding(scorer, at::tensor({1.0, 0.0, 1.0, 0.0, 0.0, 1.0}).view({3, 2}));
    expectNear(scorer.scores(layer.view(), 0, {0, 2, 3}), {-.8944F, -.8944F, -.4472F});
    ScoredPolicy policy({.scorer = std::make_unique<KeyDiffScorer>(parameters)});
    EXPECT_THAT(kept(policy, layer, 2), ElementsAre(0, 2));
}

TEST(KeyDiffScorer, CentringTakesOffWhatAllKeysShare) {
    // Keys before rotation are one large vector plus small ones; centred they are compared by the small ones.
    at::manual_seed(5);
    const at::Tensor small = at::randn({12, 1, 4}, at::kDouble);
    const at::Tensor bias = at::tensor({50.0, -30.0, 20.0, 40.0}, at::kDouble);
    const auto scoresOf = [](const at::Tensor& plain) {
        KeyDiffScorer scorer(with<KeyDiffScorer>());
        FedLayer layer({1, 1, 4, 12, at::kDouble, at::kCPU}, scorer.needs());
        layer.feed(scorer, at::zeros_like(plain), layer.rotated(plain), plain);
        return scorer.scores(layer.view(), 0, {0, 6, 12});
    };
    EXPECT_LT((scoresOf(small) - scoresOf(small + bias)).abs().max().item<double>(), 1e-9);
    EXPECT_GT(scoresOf(small + bias).std().item<double>(), 0.1);
}

TEST(LagKvScorer, RanksWithinAStretchByItsSpreadInTheRangeOfTheNext) {
    // One sink, stretches of two: of each pair the entry whose channels lie further apart stays.
    LagKvScorer scorer(with<LagKvScorer>({{"lag", std::int64_t{2}}, {"sinks", std::int64_t{1}}}));
    const at::Tensor keys =
        at::tensor({9.0, 9.0, .5, .5, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 5.0, 5.0}).view({6, 2});  // sink, 2 · 2, tail
    FedLayer layer({1, 1, 2, 6, at::kDouble, at::kCPU}, scorer.needs());
    const at::Tensor rows = keys.to(at::kDouble).unsqueeze(1);
    layer.feed(scorer, at::zeros_like(rows), rows, rows);
    expectNear(scorer.scores(layer.view(), 0, {0, 3, 6}), {1, 0, .5F, 1, 1, 1});
}

TEST(LagKvScorer, IsAWindowWithoutRoomForTwoStretches) {
    LagKvScorer scorer(with<LagKvScorer>());
    FedLayer layer = holding(scorer, at::ones({8, 2}));
    expectNear(scorer.scores(layer.view(), 0, {0, 4, 8}), {0, 1, 2, 3, 4, 5, 6, 7});
}

TEST(RkvScorer, TheNewestOfRepeatedKeysIsTheLeastRedundant) {
    const at::Tensor keys = at::tensor({1.0, 0.0, 1.0, 0.0, 1.0, 0.0}).view({1, 3, 2});
    expectNear(RkvScorer::redundancy(keys, 0.5), {.4484F, .3213F, .2302F});
}

TEST(RkvScorer, WithoutNearDuplicatesNothingIsForgiven) {
    // Cosines 0.6 below a threshold of 0.7: column means .3, .3 of two keys.
    const at::Tensor keys = at::tensor({1.0, 0.0, .6, .8}).view({1, 2, 2});
    expectNear(RkvScorer::redundancy(keys, 0.7), {.5F, .5F});
    // Above it each forgives the other: all zero, which is even again, but in the sum of a third it shows.
    const at::Tensor third = at::tensor({1.0, 0.0, .6, .8, 0.0, 1.0}).view({1, 3, 2});
    // Rows: [0 .6 0], [.6 0 .8], [0 .8 0]; at 0.7 row 1 forgives column 2 and row 2 forgives column 1.
    expectNear(RkvScorer::redundancy(third, 0.7), numbers(at::tensor({.2, .2, 0.0}).softmax(0)));
}

TEST(RkvScorer, BlocksOfAnySizeGiveTheSame) {
    at::manual_seed(4);
    // Near-duplicates at every distance: 40 keys around six directions.
    const at::Tensor keys =
        at::randn({6, 8}, at::kDouble).repeat({7, 1}).narrow(0, 0, 40).unsqueeze(0).repeat({2, 1, 1}) +
        at::randn({2, 40, 8}, at::kDouble) * 0.3;
    const at::Tensor whole = RkvScorer::redundancy(keys, 0.5, 40);
    // As the authors write it: all cosines at once.
    const at::Tensor unit = keys / keys.norm(2, {-1}, true);
    at::Tensor cosines = at::matmul(unit, unit.transpose(1, 2)) - at::eye(40, at::kDouble);
    for (int head = 0; head < 2; ++head) {
        for (int row = 0; row < 40; ++row) {
            for (int column = 39; column >= 0; --column) {
                if (column != row && cosines[head][row][column].item<double>() > 0.5) {
                    cosines[head][row][column] = 0.0;
                    break;
                }
            }
        }
    }
    EXPECT_LT((whole - cosines.mean(1).softmax(-1)).abs().max().item<double>(), 1e-8);
    for (const std::int64_t block : {1, 7, 39, 41, 512}) {
        EXPECT_LT((RkvScorer::redundancy(keys, 0.5, block) - whole).abs().max().item<double>(), 1e-14) << block;
    }
}

TEST(RkvScorer, WeighsTheGroupsLargestLogitAgainstRedundancy) {
    RkvScorer scorer(with<RkvScorer>(
        {{"window", std::int64_t{1}}, {"kernel", std::int64_t{1}}, {"importance", 0.4}, {"center_keys", false}}));
    FedLayer layer = attending(scorer, {{.1, .2, .3, .4}, {.5, .1, .1, .3}}, 4);
    // Largest of both heads: .5, .2, .3 over what is before the window; orthogonal keys are equally redundant.
    expectNear(scorer.scores(layer.view(), 0, {0, 2, 4}).narrow(1, 0, 3),
               {.4F * .5F - .6F / 4, .4F * .2F - .6F / 4, .4F * .3F - .6F / 4});
}

TEST(ExpectedAttentionScorer, LogitsOfANormalQuery) {
    const at::Tensor keys = at::tensor({0.0, 0.0, 2.0, 0.0}).view({1, 2, 2});
    const at::Tensor mean = at::tensor({1.0, 0.0}).view({1, 1, 2});
    const at::Tensor logits =
        ExpectedAttentionScorer::expectedLogits(keys, mean, at::eye(2, at::kDouble).view({1, 1, 2, 2}));
    expectNear(logits, {0, 2.4142F});
    const at::Tensor weights = logits.softmax(-1).flatten();
    EXPECT_NEAR((weights[1] / weights[0]).item<double>(), 11.18, 1e-2);
    expectNear(ExpectedAttentionScorer::expectedLogits(keys, mean, {}), {0, 1.4142F});
}

TEST(RandomScorer, DrawsByPlaceAlone) {
    const ParameterMap parameters = with<RandomScorer>();
    RandomScorer one(parameters, 1);
    RandomScorer other(parameters, 2);
    FedLayer layer = holding(one, at::ones({1000, 2}));
    const at::Tensor scores = one.scores(layer.view(), 0, {3, 500, 1000});
    EXPECT_TRUE(at::equal(scores, one.scores(layer.view(), 0, {3, 20, 1000})));
    EXPECT_FALSE(at::equal(scores, other.scores(layer.view(), 0, {3, 500, 1000})));
    EXPECT_FALSE(at::equal(scores, one.scores(layer.view(), 0, {4, 500, 1000})));
    // Uniform on [0, 1): mean 1 / 2 and variance 1 / 12, within four standard errors.
    EXPECT_NEAR(scores.mean().item<double>(), 0.5, 4 * std::sqrt(1.0 / 12 / 1000));
    EXPECT_NEAR(scores.var().item<double>(), 1.0 / 12, 4 * std::sqrt(1.0 / 180 / 1000));
    EXPECT_GE(scores.min().item<double>(), 0.0);
    EXPECT_LT(scores.max().item<double>(), 1.0);
}

TEST(RandomScorer, AnEvictedEntryLeavesTheOthersAsTheyWere) {
    RandomScorer scorer(with<RandomScorer>(), 9);
    FedLayer layer = holding(scorer, at::ones({6, 2}));
    const auto before = numbers(scorer.scores(layer.view(), 0, {0, 3, 6}));
    layer.apply({{{1, 4}}});
    EXPECT_THAT(numbers(scorer.scores(layer.view(), 0, {0, 3, 6})),
                ElementsAre(before[0], before[2], before[3], before[5]));
}

}  // namespace
}  // namespace kvist
