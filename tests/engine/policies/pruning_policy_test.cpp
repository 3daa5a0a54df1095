// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/pruning_policy.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/policies/attention_score_policy.h"
#include "engine/policies/policy_factory.h"
#include "engine/policies/window_policy.h"
#include "tests/engine/support/engine_error_matcher.h"

namespace kvist {
namespace {

using ::testing::ElementsAre;

/// A layer of one KV head that holds entries at positions 0, 1, … with the given scores.
class PolicyTest : public ::testing::Test {
protected:
    LayerCache cacheWith(std::int64_t count, const std::vector<float>& scores = {}) {
        LayerCache cache({1, 1, 4, 64, at::kFloat, at::kCPU}, scores.empty() ? 0 : 1, false);
        const at::Tensor rows = at::zeros({count, 1, 4});
        cache.append(rows, rows, 0);
        if (!scores.empty()) {
            std::copy(scores.begin(), scores.end(), cache.index(0).column(0).begin());
        }
        return cache;
    }

    /// Positions that a policy leaves of a cache when it prunes to `target`.
    std::vector<std::int64_t> kept(PruningPolicy& policy, LayerCache& cache, std::int64_t target) {
        cache.apply(policy.plan(LayerView(cache), {0, target, cache.mostHeld()}));
        std::vector<std::int64_t> positions;
        for (std::int64_t i = 0; i < cache.index(0).count(); ++i) {
            positions.push_back(cache.index(0).position(i));
        }
        return positions;
    }

    static WindowPolicy windowWith(std::int64_t sinks) {
        return WindowPolicy(withOptional(WindowPolicy::info().parameters, {{"sinks", sinks}}));
    }

    static ParameterMap parameters(std::int64_t sinks, std::int64_t recent, bool isPerQuery = false) {
        return {{"sinks", sinks}, {"recent", recent}, {"per_query", isPerQuery}};
    }
};

TEST_F(PolicyTest, WindowKeepsSinksAndTheNewest) {
    WindowPolicy policy = windowWith(4);
    LayerCache cache = cacheWith(10);
    EXPECT_THAT(kept(policy, cache, 7), ElementsAre(0, 1, 2, 3, 7, 8, 9));
}

TEST_F(PolicyTest, WindowWithoutSinksIsPlainlyTheNewest) {
    WindowPolicy policy = windowWith(0);
    LayerCache cache = cacheWith(10);
    EXPECT_THAT(kept(policy, cache, 3), ElementsAre(7, 8, 9));
}

TEST_F(PolicyTest, NothingGoesWhileTheTargetIsNotExceeded) {
    WindowPolicy window = windowWith(4);
    LayerCache cache = cacheWith(7);
    EXPECT_EQ(kept(window, cache, 7).size(), 7u);
    AttentionScorePolicy score(parameters(2, 3));
    LayerCache scored = cacheWith(7, std::vector<float>(7, 1.0F));
    EXPECT_EQ(kept(score, scored, 9).size(), 7u);
}

TEST_F(PolicyTest, AttentionScoreKeepsSinksRecentAndTheHeaviestBetween) {
    AttentionScorePolicy policy(parameters(2, 3));
    LayerCache cache = cacheWith(10, {9, 8, .1F, .5F, .2F, .9F, .3F, 1, 1, 1});
    EXPECT_THAT(kept(policy, cache, 7), ElementsAre(0, 1, 3, 5, 7, 8, 9));
}

TEST_F(PolicyTest, PerQueryOldEntriesHaveNoAdvantage) {
    // Ten tokens seen: entries 0 … 9 were seen by 10, 9, … queries.
    AttentionScorePolicy policy(parameters(0, 2, true));
    LayerCache cache = cacheWith(10, {5, 1, 4, .7F, .6F, 2, .5F, .6F, 0, 0});
    // Per query: .5 .111 .5 .1 .1 .4 .125 .2
    EXPECT_THAT(kept(policy, cache, 6), ElementsAre(0, 2, 5, 7, 8, 9));
}

TEST_F(PolicyTest, ScoresOfSinksAndRecentEntriesDoNotMatter) {
    AttentionScorePolicy policy(parameters(2, 3));
    LayerCache cache = cacheWith(10, {0, 0, .1F, .5F, .2F, .9F, .3F, 0, 0, 0});
    EXPECT_THAT(kept(policy, cache, 7), ElementsAre(0, 1, 3, 5, 7, 8, 9));
}

TEST_F(PolicyTest, OfEqualScoresTheLowerPositionStays) {
    AttentionScorePolicy policy(parameters(1, 1));
    LayerCache cache = cacheWith(8, std::vector<float>(8, 0.5F));
    EXPECT_THAT(kept(policy, cache, 5), ElementsAre(0, 1, 2, 3, 7));
}

TEST_F(PolicyTest, RecentShrinksWhereTheTargetHasNoRoom) {
    AttentionScorePolicy policy(parameters(2, 6));
    LayerCache cache = cacheWith(10, {9, 8, 7, 6, 5, 4, 3, 2, 1, 0});
    EXPECT_THAT(kept(policy, cache, 5), ElementsAre(0, 1, 7, 8, 9));
}

TEST_F(PolicyTest, ScoreIsTheMeanOverHeadsSummedOverQueries) {
    // Two query heads over one KV head, two causal queries: rows [1, 0], [.5, .5] and [1, 0], [.25, .75].
    AttentionScorePolicy policy(parameters(0, 1));
    LayerCache cache = cacheWith(2, {0, 0});
    const at::Tensor mass = at::tensor({1 + .5F + 1 + .25F, .5F + .75F}).view({1, 2});
    policy.observe({0, 2, cache, mass, 2});
    EXPECT_FLOAT_EQ(cache.index(0).column(0)[0], 1.375F);
    EXPECT_FLOAT_EQ(cache.index(0).column(0)[1], 0.625F);
    policy.observe({0, 1, cache, mass, 2});
    EXPECT_FLOAT_EQ(cache.index(0).column(0)[0], 2.75F);
}

TEST_F(PolicyTest, ScoresFollowTheEntriesThatAnEvictionMoves) {
    AttentionScorePolicy policy(parameters(1, 2));
    LayerCache cache = cacheWith(8, {1, .1F, .9F, .2F, .8F, .3F, .4F, .5F});
    EXPECT_THAT(kept(policy, cache, 6), ElementsAre(0, 2, 4, 5, 6, 7));
    EXPECT_THAT(LayerView(cache).column(0, 0, 0, 6), ElementsAre(1, .9F, .8F, .3F, .4F, .5F));
    EXPECT_THAT(kept(policy, cache, 4), ElementsAre(0, 2, 6, 7));
}

TEST_F(PolicyTest, PoliciesOfTheArticleKeepTheirPromise) {
    for (const char* id : {"full", "window", "attention-score"}) {
        SCOPED_TRACE(id);
        const auto policy = makePolicy(id, {});
        for (const std::int64_t target : {5, 6, 20, 39, 40, 41}) {
            std::vector<float> scores(40);
            for (std::size_t i = 0; i < scores.size(); ++i) {
                scores[i] = static_cast<float>((i * 17) % 40);
            }
            LayerCache cache = cacheWith(40, scores);
            const auto positions = kept(*policy, cache, target);
            const auto bound = policy->bound(target);
            EXPECT_LE(static_cast<std::int64_t>(positions.size()), bound.value_or(40));
            for (std::int64_t sink = 0; sink < policy->sinks(); ++sink) {
                EXPECT_EQ(positions[static_cast<std::size_t>(sink)], sink);
            }
            EXPECT_EQ(positions.back(), 39) << "the newest entry is always kept";
        }
    }
}

TEST(PolicyFactory, ChecksIdsAndParameters) {
    using testing::throwsEngineError;
    EXPECT_THAT([] { makePolicy("widow", {}); }, throwsEngineError(ErrorKind::InvalidInput, "window"));
    EXPECT_THAT(
        [] {
            makePolicy("window", {{"sinks", std::int64_t{-1}}});
        },
        throwsEngineError(ErrorKind::InvalidInput, "sinks"));
    EXPECT_THAT(
        [] {
            makePolicy("full", {{"sinks", std::int64_t{4}}});
        },
        throwsEngineError(ErrorKind::InvalidInput, "full"));
    EXPECT_EQ(makePolicy("window", {})->sinks(), 4);
    EXPECT_EQ(makePolicy("full", {})->schedule(), PlanSchedule::Never);
}

}  // namespace
}  // namespace kvist
