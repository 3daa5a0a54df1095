// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/session.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/policies/policy_factory.h"
#include "tests/engine/support/decoders.h"
#include "tests/engine/support/engine_error_matcher.h"
#include "tests/engine/support/growing_cache.h"
#include "tests/engine/support/policies.h"

namespace kvist {
namespace {

using testing::someTokens;
using testing::throwsEngineError;
using testing::WatchedPolicy;

const Decoder& decoder() {
    static const Decoder loaded = testing::loadDecoder(testing::tinyModel("untied"), at::kFloat);
    return loaded;
}

std::vector<std::int64_t> positions(const Session& session, std::int64_t layer) {
    const EntryIndex& index = session.cache().layer(layer).index(0);
    std::vector<std::int64_t> result;
    for (std::int64_t i = 0; i < index.count(); ++i) {
        result.push_back(index.position(i));
    }
    return result;
}

/// Both policies that prune, with 2 sinks and, for the score, 3 recent entries.
std::unique_ptr<PruningPolicy> pruningPolicy(const std::string& id) {
    ParameterMap parameters = {{"sinks", std::int64_t{2}}};
    if (id == "attention-score") {
        parameters["recent"] = std::int64_t{3};
    }
    return makePolicy(id, parameters);
}

class PruningSession : public ::testing::TestWithParam<const char*> {
protected:
    std::unique_ptr<PruningPolicy> policy() const { return pruningPolicy(GetParam()); }
};

TEST_P(PruningSession, PromptsAroundTheBudget) {
    constexpr std::int64_t kBudget = 12;
    for (const std::int64_t length : {std::int64_t{1}, kBudget - 1, kBudget, kBudget + 1, 3 * kBudget}) {
        SCOPED_TRACE(length);
        WatchedPolicy watched(policy());
        Session session(decoder(), watched, {.budget = kBudget, .chunk = 4, .longest = 100});
        const at::Tensor hidden = session.feed(someTokens(static_cast<std::size_t>(length)));
        EXPECT_EQ(hidden.sizes(), (at::IntArrayRef{length, 48}));
        EXPECT_TRUE(at::isfinite(hidden).all().item<bool>());
        EXPECT_LE(watched.mostHeld(), kBudget);
        EXPECT_EQ(session.tokensSeen(), length);
        for (std::int64_t layer = 0; layer < 3; ++layer) {
            EXPECT_EQ(session.cache().layer(layer).mostHeld(), std::min(length, kBudget));
            EXPECT_EQ(positions(session, layer).front(), 0);
            EXPECT_EQ(positions(session, layer).back(), length - 1);
        }
    }
}

TEST_P(PruningSession, NoLayerEverHoldsMoreThanTheBudget) {
    for (const std::int64_t budget : {4, 5, 7, 16, 33}) {
        for (const std::int64_t chunk : {1, 3, 8, 64}) {
            SCOPED_TRACE("budget " + std::to_string(budget) + ", chunk " + std::to_string(chunk));
            WatchedPolicy watched(policy());
            Session session(decoder(), watched, {.budget = budget, .chunk = chunk, .longest = 200});
            session.feed(someTokens(100));
            session.feed(someTokens(1));
            EXPECT_LE(watched.mostHeld(), budget);
            EXPECT_EQ(session.timeline().peak().payload, budget * 3 * 2 * 2 * 8 * 4);
            EXPECT_EQ(session.cache().stats().payload, budget * 3 * 2 * 2 * 8 * 4);
        }
    }
}

TEST_P(PruningSession, AChunkThatTheBudgetCannotHoldIsCut) {
    WatchedPolicy watched(policy());
    Session cut(decoder(), watched, {.budget = 10, .chunk = 32, .longest = 60});
    EXPECT_EQ(cut.chunk(), 10 - 2 - 1);
    const auto tokens = someTokens(60);
    const at::Tensor hidden = cut.feed(tokens);
    EXPECT_EQ(watched.longestChunk(), 7);

    const auto same = policy();
    Session seven(decoder(), *same, {.budget = 10, .chunk = 7, .longest = 60});
    EXPECT_TRUE(at::equal(seven.feed(tokens), hidden));
    EXPECT_EQ(seven.keptDigest(), cut.keptDigest());
}

TEST_P(PruningSession, ABudgetThatTheSinksFillIsRefused) {
    const auto made = policy();
    for (const std::int64_t budget : {-1, 0, 2, 3}) {
        EXPECT_THAT([&] { Session(decoder(), *made, {.budget = budget, .chunk = 4, .longest = 10}); },
                    throwsEngineError(ErrorKind::InvalidInput, "budget " + std::to_string(budget)));
    }
    EXPECT_NO_THROW(Session(decoder(), *made, {.budget = 4, .chunk = 4, .longest = 10}));
}

TEST_P(PruningSession, LaterTokensDoNotChangeEarlierStates) {
    // After evictions slots are in no order of position: a mask made of slot numbers would let tokens see the
    // future. Whatever follows token 70, the states up to it stay as they are.
    const auto first = policy();
    const auto second = policy();
    auto tokens = someTokens(96);
    for (const std::int64_t chunk : {1, 5, 16}) {
        Session one(decoder(), *first, {.budget = 24, .chunk = chunk, .longest = 96});
        const at::Tensor before = one.feed(tokens);
        auto changed = tokens;
        for (std::size_t i = 71; i < changed.size(); ++i) {
            changed[i] = (changed[i] + 17) % 64;
        }
        Session other(decoder(), *second, {.budget = 24, .chunk = chunk, .longest = 96});
        const at::Tensor after = other.feed(changed);
        const double past = (before.narrow(0, 0, 71) - after.narrow(0, 0, 71)).abs().max().item<double>();
        const double future = (before.narrow(0, 71, 25) - after.narrow(0, 71, 25)).abs().max().item<double>();
        EXPECT_LT(past, 1e-5) << "chunk " << chunk;
        EXPECT_GT(future, 1e-2) << "the test itself would see a change";
    }
}

TEST_P(PruningSession, EarlierChunksAreSeenByEveryQueryOfAChunk) {
    // A budget that is never reached changes nothing: the states are those of the full cache.
    const auto made = policy();
    const auto tokens = someTokens(40);
    testing::GrowingCache whole(3);
    const at::Tensor expected = decoder().forward(tokens, 0, whole);
    for (const std::int64_t chunk : {1, 3, 16}) {
        Session session(decoder(), *made, {.budget = 64, .chunk = chunk, .longest = 40});
        EXPECT_LT((session.feed(tokens) - expected).abs().max().item<double>(), 1e-4) << "chunk " << chunk;
    }
}

TEST_P(PruningSession, IsDeterministicAndResetIsAFreshStart) {
    const auto tokens = someTokens(80);
    const auto made = policy();
    const SessionOptions options{.budget = 16, .chunk = 5, .longest = 80};
    Session session(decoder(), *made, options);
    const at::Tensor first = session.feed(tokens);
    const std::string digest = session.keptDigest();
    const auto last = positions(session, 2);

    session.reset();
    EXPECT_EQ(session.tokensSeen(), 0);
    EXPECT_EQ(session.cache().stats().payload, 0);
    session.feed(someTokens(33));
    session.reset();
    EXPECT_TRUE(at::equal(session.feed(tokens), first));
    EXPECT_EQ(session.keptDigest(), digest);
    EXPECT_EQ(positions(session, 2), last);

    const auto fresh = policy();
    Session other(decoder(), *fresh, options);
    EXPECT_TRUE(at::equal(other.feed(tokens), first));
    EXPECT_EQ(other.keptDigest(), digest);
}

TEST_P(PruningSession, DigestTellsKeptSetsApart) {
    const auto made = policy();
    const auto digest = [&](std::int64_t budget) {
        Session session(decoder(), *made, {.budget = budget, .chunk = 5, .longest = 80});
        session.feed(someTokens(60));
        return session.keptDigest();
    };
    EXPECT_EQ(digest(16), digest(16));
    EXPECT_NE(digest(16), digest(17));
}

TEST_P(PruningSession, AfterAnErrorNothingGoesUntilReset) {
    const auto tokens = someTokens(40);
    const auto made = policy();
    const SessionOptions options{.budget = 16, .chunk = 5, .longest = 80};
    Session session(decoder(), *made, options);
    std::stop_source stop;
    ForwardOptions stopped;
    stopped.stop = stop.get_token();
    stopped.onLayerDone = [&](std::int64_t) { stop.request_stop(); };
    EXPECT_THAT([&] { session.feed(tokens, stopped); }, throwsEngineError(ErrorKind::Cancelled, ""));
    EXPECT_THAT([&] { session.feed(tokens); }, throwsEngineError(ErrorKind::Internal, "reset"));
    session.reset();
    const at::Tensor again = session.feed(tokens);

    const auto fresh = policy();
    Session other(decoder(), *fresh, options);
    EXPECT_TRUE(at::equal(other.feed(tokens), again));
}

TEST_P(PruningSession, LayerByLayerEqualsChunkByChunk) {
    const Decoder exact = testing::loadDecoder(testing::tinyModel("untied"), at::kDouble);
    const auto tokens = someTokens(90);
    const SessionOptions options{.budget = 20, .chunk = 6, .longest = 90};
    const auto made = policy();
    Session layerwise(exact, *made, options);
    EXPECT_TRUE(layerwise.runsLayerByLayer());
    const at::Tensor one = layerwise.feed(tokens);
    testing::InOrderPolicy inOrder(policy());
    Session ordered(exact, inOrder, options);
    EXPECT_FALSE(ordered.runsLayerByLayer());
    const at::Tensor other = ordered.feed(tokens);
    EXPECT_EQ(layerwise.keptDigest(), ordered.keptDigest());
    EXPECT_LT((one - other).abs().max().item<double>(), 1e-10);
    EXPECT_EQ(layerwise.timeline().moments().size(), ordered.timeline().moments().size());
    EXPECT_EQ(layerwise.timeline().peak().payload, ordered.timeline().peak().payload);
}

INSTANTIATE_TEST_SUITE_P(Policies, PruningSession, ::testing::Values("window", "attention-score"),
                         [](const auto& tested) { return std::string(tested.param) == "window" ? "Window" : "Score"; });

TEST(Session, WindowKeepsOriginalPositions) {
    const auto policy = pruningPolicy("window");
    Session session(decoder(), *policy, {.budget = 7, .chunk = 2, .longest = 50});
    session.feed(someTokens(20));
    EXPECT_THAT(positions(session, 1), ::testing::ElementsAre(0, 1, 15, 16, 17, 18, 19));
    session.feed(someTokens(1));
    EXPECT_THAT(positions(session, 1), ::testing::ElementsAre(0, 1, 16, 17, 18, 19, 20));
}

TEST(Session, KeysKeepTheRotationOfTheirPosition) {
    // In layer 0 keys depend on token and position alone, so what is held after many evictions can be compared
    // with an unpruned run.
    const auto tokens = someTokens(60);
    const auto window = pruningPolicy("window");
    Session pruned(decoder(), *window, {.budget = 9, .chunk = 3, .longest = 60});
    pruned.feed(tokens);
    const auto full = makePolicy("full", {});
    Session whole(decoder(), *full, {.budget = 0, .chunk = 32, .longest = 60});
    whole.feed(tokens);
    const EntryIndex& index = pruned.cache().layer(0).index(0);
    for (std::int64_t i = 0; i < index.count(); ++i) {
        const at::Tensor held = pruned.cache().layer(0).keys().select(1, static_cast<std::int64_t>(index.slot(i)));
        const at::Tensor expected = whole.cache().layer(0).keys().select(1, index.position(i));
        EXPECT_LT((held - expected).abs().max().item<double>(), 1e-5) << "position " << index.position(i);
    }
}

TEST(Session, FullCacheEqualsPlainAttentionAndCountsEveryByte) {
    const auto policy = makePolicy("full", {});
    const auto tokens = someTokens(50);
    testing::GrowingCache whole(3);
    const at::Tensor expected = decoder().forward(tokens, 0, whole);
    for (const std::size_t piece : {50, 1, 7}) {
        Session session(decoder(), *policy, {.budget = 0, .chunk = 32, .longest = 50});
        std::vector<at::Tensor> hidden;
        for (std::size_t first = 0; first < tokens.size(); first += piece) {
            hidden.push_back(session.feed(std::span(tokens).subspan(first, std::min(piece, tokens.size() - first))));
            EXPECT_EQ(session.cache().stats().payload, session.tokensSeen() * 3 * 2 * 2 * 8 * 4);
        }
        EXPECT_LT((at::cat(hidden) - expected).abs().max().item<double>(), 1e-4);
    }
}

TEST(Session, FullCacheIsNeverAskedForMoreThanWasAnnounced) {
    const auto policy = makePolicy("full", {});
    Session session(decoder(), *policy, {.budget = 0, .chunk = 32, .longest = 10});
    session.feed(someTokens(10));
    EXPECT_THAT([&] { session.feed(someTokens(1)); }, throwsEngineError(ErrorKind::Internal, "10"));
}

TEST(Session, AChunkOfNothingIsRefused) {
    const auto policy = makePolicy("full", {});
    EXPECT_THAT([&] { Session(decoder(), *policy, {.budget = 0, .chunk = 0, .longest = 10}); },
                throwsEngineError(ErrorKind::InvalidInput, "chunk"));
}

TEST(Session, BytesOfScoresAreCounted) {
    const auto policy = pruningPolicy("attention-score");
    Session session(decoder(), *policy, {.budget = 16, .chunk = 4, .longest = 100});
    session.feed(someTokens(50));
    EXPECT_EQ(session.cache().stats().policyState, 3 * 16 * 4);
    EXPECT_EQ(session.cache().stats().metadata, 3 * 16 * 8);
}

TEST(Session, NanInALayerFailsWithItsNumber) {
    testing::GrowingCache cache(3);
    const Decoder half = testing::loadDecoder(testing::tinyModel("untied"), at::kHalf);
    struct Poison : testing::GrowingCache {
        using GrowingCache::GrowingCache;
        at::Tensor attend(std::int64_t layer, const Projection& projection) override {
            const at::Tensor context = GrowingCache::attend(layer, projection);
            return layer == 1 ? context * std::numeric_limits<double>::infinity() : context;
        }
    } poisoned(3);
    ForwardOptions options;
    options.checksFinite = true;
    EXPECT_THAT([&] { half.forward(someTokens(5), 40, poisoned, options); },
                throwsEngineError(ErrorKind::Numerical, "layer 1"));
    EXPECT_NO_THROW(half.forward(someTokens(5), 0, cache, options));
}

}  // namespace
}  // namespace kvist
