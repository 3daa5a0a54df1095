// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "engine/policies/policy_factory.h"
#include "engine/session/session.h"
#include "tests/engine/support/decoders.h"
#include "tests/engine/support/engine_error_matcher.h"

namespace kvist {
namespace {

const Decoder& decoder() {
    static const Decoder loaded = testing::loadDecoder(testing::tinyModel("untied"), at::kFloat);
    return loaded;
}

at::Tensor stepAfterFilling(Session& session, std::int64_t depth, std::uint64_t seed) {
    session.fillRandomly(depth, seed);
    const std::int32_t token = 5;
    return session.feed(std::span(&token, 1)).clone();
}

TEST(FillRandomly, FullCacheHoldsTheWholeDepth) {
    const auto policy = makePolicy("full", {});
    Session session(decoder(), *policy, {.budget = 0, .chunk = 1, .longest = 6000});
    session.fillRandomly(5000, 1);
    EXPECT_EQ(session.tokensSeen(), 5000);
    EXPECT_EQ(session.cache().layer(2).mostHeld(), 5000);
    EXPECT_EQ(session.cache().layer(2).index(0).position(4999), 4999);
}

TEST(FillRandomly, PrunedCacheHoldsSinksAndTheNewestUpToTheBudget) {
    for (const char* id : {"window", "attention-score"}) {
        const auto policy = makePolicy(id, {});
        Session session(decoder(), *policy, {.budget = 64, .chunk = 1, .longest = 6000});
        session.fillRandomly(5000, 1);
        EXPECT_EQ(session.tokensSeen(), 5000);
        const EntryIndex& index = session.cache().layer(0).index(0);
        ASSERT_EQ(index.count(), 64);
        EXPECT_EQ(index.position(0), 0);
        EXPECT_EQ(index.position(3), 3);
        EXPECT_EQ(index.position(4), 4940);
        EXPECT_EQ(index.position(63), 4999);
    }
}

TEST(FillRandomly, StopsWhenAsked) {
    const auto policy = makePolicy("full", {});
    Session session(decoder(), *policy, {.budget = 0, .chunk = 1, .longest = 6000});
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THAT([&] { session.fillRandomly(5000, 1, stop.get_token()); },
                testing::throwsEngineError(ErrorKind::Cancelled, "stopped"));
}

TEST(FillRandomly, ScoresDiffer) {
    // Equal scores would make every choice the same.
    const auto policy = makePolicy("attention-score", {});
    Session session(decoder(), *policy, {.budget = 64, .chunk = 1, .longest = 200});
    session.fillRandomly(100, 1);
    const auto scores = session.cache().layer(1).index(0).column(0);
    EXPECT_NE(scores[10], scores[11]);
    EXPECT_GT(scores[10], 0.0F);
}

TEST(FillRandomly, FollowsTheSeedAndNothingElse) {
    const auto policy = makePolicy("attention-score", {});
    Session session(decoder(), *policy, {.budget = 64, .chunk = 1, .longest = 200});
    const at::Tensor one = stepAfterFilling(session, 100, 1);
    const at::Tensor two = stepAfterFilling(session, 100, 2);
    EXPECT_TRUE(at::equal(stepAfterFilling(session, 100, 1), one));
    EXPECT_FALSE(at::equal(one, two));
}

TEST(FillRandomly, AStepPrunesAndContinuesAtTheDepth) {
    const auto policy = makePolicy("window", {});
    Session session(decoder(), *policy, {.budget = 64, .chunk = 1, .longest = 200});
    stepAfterFilling(session, 100, 1);
    const EntryIndex& index = session.cache().layer(2).index(0);
    EXPECT_EQ(index.count(), 64);
    EXPECT_EQ(index.position(63), 100);
    EXPECT_EQ(index.position(4), 41);
}

TEST(FillRandomly, DepthsBelowSinksAndBudget) {
    for (const std::int64_t depth : {0, 1, 3, 4, 5, 63, 64, 65}) {
        const auto policy = makePolicy("window", {});
        Session session(decoder(), *policy, {.budget = 64, .chunk = 1, .longest = 200});
        session.fillRandomly(depth, 1);
        EXPECT_EQ(session.cache().layer(0).mostHeld(), std::min<std::int64_t>(depth, 64)) << depth;
        EXPECT_EQ(session.tokensSeen(), depth);
    }
}

}  // namespace
}  // namespace kvist
