// SPDX-License-Identifier: GPL-3.0-or-later
// Every policy of the catalog in a session.
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "engine/session/session.h"
#include "tests/engine/support/catalog_policies.h"
#include "tests/engine/support/decoders.h"
#include "tests/engine/support/policies.h"

namespace kvist {
namespace {

using testing::CatalogCase;
using testing::someTokens;

const Decoder& decoder(at::ScalarType type) {
    static const Decoder single = testing::loadDecoder(testing::tinyModel("untied"), at::kFloat);
    static const Decoder exact = testing::loadDecoder(testing::tinyModel("untied"), at::kDouble);
    return type == at::kDouble ? exact : single;
}

class CatalogSession : public ::testing::TestWithParam<CatalogCase> {
protected:
    static constexpr std::int64_t kBudget = 24;
    static constexpr std::int64_t kLayers = 3;
    static constexpr std::int64_t kHeads = 2;
    static constexpr std::int64_t kEntryBytes = 2 * 8 * 4;

    static SessionOptions options(std::int64_t chunk) { return {.budget = kBudget, .chunk = chunk, .longest = 400}; }
};

TEST_P(CatalogSession, NoMoreThanTheBudgetIsEverHeld) {
    for (const std::int64_t chunk : {1, 5, 32}) {
        for (const std::int64_t length : {std::int64_t{1}, kBudget - 1, kBudget, kBudget + 1, 4 * kBudget}) {
            SCOPED_TRACE("chunk " + std::to_string(chunk) + ", length " + std::to_string(length));
            const auto policy = GetParam().makeFor(decoder(at::kFloat));
            Session session(decoder(at::kFloat), *policy, options(chunk));
            const at::Tensor hidden = session.feed(someTokens(static_cast<std::size_t>(length)));
            session.feed(someTokens(3));
            EXPECT_TRUE(at::isfinite(hidden).all().item<bool>());
            EXPECT_LE(session.timeline().peak().payload, kBudget * kLayers * kHeads * kEntryBytes);
            EXPECT_EQ(session.tokensSeen(), length + 3);
            for (std::int64_t layer = 0; session.runsLayerByLayer() && layer < kLayers; ++layer) {
                EXPECT_LE(session.cache().layer(layer).totalHeld(),
                          policy->layerBudget(kBudget, layer, kLayers) * kHeads);
            }
        }
    }
}

TEST_P(CatalogSession, ASecondTextEqualsAFreshSessionBitForBit) {
    const auto tokens = someTokens(90);
    const auto policy = GetParam().makeFor(decoder(at::kFloat));
    Session session(decoder(at::kFloat), *policy, options(6));
    const at::Tensor first = session.feed(tokens);
    const std::string digest = session.keptDigest();
    session.reset();
    EXPECT_EQ(session.stats().policyState, policy->stateBytes());
    session.feed(someTokens(33));
    session.reset();
    EXPECT_TRUE(at::equal(session.feed(tokens), first));
    EXPECT_EQ(session.keptDigest(), digest);
    const auto fresh = GetParam().makeFor(decoder(at::kFloat));
    Session other(decoder(at::kFloat), *fresh, options(6));
    EXPECT_TRUE(at::equal(other.feed(tokens), first));
    EXPECT_EQ(other.keptDigest(), digest);
}

TEST_P(CatalogSession, LayerByLayerEqualsInOrder) {
    const auto tokens = someTokens(90);
    const auto policy = GetParam().makeFor(decoder(at::kFloat));
    Session layerwise(decoder(at::kDouble), *policy, options(6));
    if (!layerwise.runsLayerByLayer()) {
        GTEST_SKIP() << "plans all layers together";
    }
    const at::Tensor one = layerwise.feed(tokens);
    testing::InOrderPolicy inOrder(GetParam().makeFor(decoder(at::kFloat)));
    Session ordered(decoder(at::kDouble), inOrder, options(6));
    const at::Tensor other = ordered.feed(tokens);
    EXPECT_EQ(layerwise.keptDigest(), ordered.keptDigest());
    EXPECT_LT((one - other).abs().max().item<double>(), 1e-8);
    EXPECT_EQ(layerwise.timeline().peak().policyState, ordered.timeline().peak().policyState);
}

TEST_P(CatalogSession, APromptIsHeldWholeAndCompressedOnce) {
    const auto tokens = someTokens(90);
    const auto run = [&](PruningPolicy& policy) {
        SessionOptions whole = options(6);
        whole.protocol = SessionProtocol::PrefillThenDecode;
        Session session(decoder(at::kDouble), policy, whole);
        session.feed(tokens);
        EXPECT_EQ(session.cache().layer(1).totalHeld(), 90 * kHeads);
        session.endPrompt();
        for (std::int64_t layer = 0; layer < kLayers; ++layer) {
            EXPECT_LE(session.cache().layer(layer).totalHeld(), policy.layerBudget(kBudget, layer, kLayers) * kHeads);
        }
        const at::Tensor hidden = session.feed(someTokens(15));
        EXPECT_TRUE(at::isfinite(hidden).all().item<bool>());
        return std::pair(session.keptDigest(), hidden);
    };
    const auto policy = GetParam().makeFor(decoder(at::kFloat));
    if (policy->dependence() != PlanDependence::Layer) {
        GTEST_SKIP() << "plans all layers together";
    }
    const auto [digest, hidden] = run(*policy);
    testing::InOrderPolicy inOrder(GetParam().makeFor(decoder(at::kFloat)));
    const auto [orderedDigest, orderedHidden] = run(inOrder);
    EXPECT_EQ(digest, orderedDigest);
    EXPECT_LT((hidden - orderedHidden).abs().max().item<double>(), 1e-8);
}

TEST_P(CatalogSession, LaterTokensDoNotChangeEarlierStates) {
    auto tokens = someTokens(90);
    const auto stateOf = [&] {
        const auto policy = GetParam().makeFor(decoder(at::kFloat));
        return Session(decoder(at::kDouble), *policy, options(6)).feed(tokens);
    };
    const at::Tensor before = stateOf();
    for (std::size_t i = 67; i < tokens.size(); ++i) {
        tokens[i] = (tokens[i] + 17) % 64;
    }
    const at::Tensor after = stateOf();
    EXPECT_LT((before - after).narrow(0, 0, 67).abs().max().item<double>(), 1e-9);
    EXPECT_GT((before - after).narrow(0, 67, 23).abs().max().item<double>(), 1e-2);
}

TEST_P(CatalogSession, PromptsOfAnyLengthAreCompressedOnceAndDecodedFrom) {
    constexpr std::int64_t kWindow = 4;
    const auto policy = GetParam().makeFor(decoder(at::kFloat));
    SessionOptions prompted = options(5);
    prompted.protocol = SessionProtocol::PrefillThenDecode;
    Session session(decoder(at::kFloat), *policy, prompted);
    for (const std::int64_t length :
         {std::int64_t{1}, kWindow - 1, kWindow, kWindow + 1, kBudget - 1, kBudget, kBudget + 1, 4 * kBudget}) {
        SCOPED_TRACE("length " + std::to_string(length));
        const auto run = [&] {
            session.reset();
            session.feed(someTokens(static_cast<std::size_t>(length)));
            session.endPrompt();
            const CacheStats compressed = session.stats();
            EXPECT_LE(compressed.payload, kBudget * kLayers * kHeads * kEntryBytes);
            if (length <= kWindow) {
                EXPECT_EQ(compressed.payload, length * kLayers * kHeads * kEntryBytes) << "nothing goes";
            }
            std::vector<at::Tensor> states;
            for (int step = 0; step < 3; ++step) {
                states.push_back(session.feed(someTokens(1)));
            }
            EXPECT_LE(session.stats().payload, compressed.payload + 3 * kLayers * kHeads * kEntryBytes);
            return at::cat(states);
        };
        const at::Tensor first = run();
        const std::string digest = session.keptDigest();
        EXPECT_TRUE(at::isfinite(first).all().item<bool>());
        EXPECT_TRUE(at::equal(run(), first)) << "a second sample in the same session";
        EXPECT_EQ(session.keptDigest(), digest);
    }
}

TEST_P(CatalogSession, DecodesFromARandomlyFilledCache) {
    const auto policy = GetParam().makeFor(decoder(at::kFloat));
    Session session(decoder(at::kFloat), *policy, options(1));
    session.fillRandomly(300, 1);
    const CacheStats filled = session.stats();
    EXPECT_TRUE(at::isfinite(session.feed(someTokens(4))).all().item<bool>());
    EXPECT_EQ(filled.payload, kBudget * kLayers * kHeads * kEntryBytes);
    EXPECT_EQ(session.tokensSeen(), 304);
    EXPECT_LE(session.stats().policyState, filled.policyState) << "state is that of a full cache from the start";
}

INSTANTIATE_TEST_SUITE_P(Catalog, CatalogSession, ::testing::ValuesIn(testing::prunablePolicies(false)),
                         [](const auto& tested) { return tested.param.name; });

TEST(CatalogSessionSeed, RandomEvictionFollowsTheSeed) {
    const auto digest = [](std::uint64_t seed) {
        const auto policy = makePolicy("random", {{"sinks", std::int64_t{2}}, {"recent", std::int64_t{3}}}, seed);
        Session session(decoder(at::kFloat), *policy, {.budget = 20, .chunk = 5, .longest = 90});
        session.feed(someTokens(90));
        return session.keptDigest();
    };
    EXPECT_EQ(digest(1), digest(1));
    EXPECT_NE(digest(1), digest(2));
}

TEST(CatalogSessionState, KeptQueriesAreCounted) {
    const auto policy = makePolicy("snapkv", {{"window", std::int64_t{4}}});
    Session session(decoder(at::kFloat), *policy, {.budget = 20, .chunk = 5, .longest = 90});
    session.feed(someTokens(50));
    const std::int64_t queryHeads = decoder(at::kFloat).config().queryHeads;
    EXPECT_EQ(session.stats().policyState, 3 * 4 * queryHeads * 8 * 4);
    EXPECT_EQ(session.timeline().peak().policyState, session.stats().policyState);
}

TEST(CatalogSessionLayers, PyramidsHoldMoreInLowerLayersAndTheBudgetOnAverage) {
    const auto policy = makePolicy("pyramidkv", {{"window", std::int64_t{4}}, {"beta", 4.0}});
    Session session(decoder(at::kFloat), *policy, {.budget = 20, .chunk = 5, .longest = 90});
    session.feed(someTokens(90));
    std::vector<std::int64_t> held;
    for (std::int64_t layer = 0; layer < 3; ++layer) {
        held.push_back(session.cache().layer(layer).mostHeld());
    }
    EXPECT_EQ(held, (std::vector<std::int64_t>{4 + 28, 4 + 16, 4 + 4}));
}

TEST(CatalogSessionHeads, AdaptiveHeadsHoldDifferentNumbers) {
    const auto policy = makePolicy("adakv", {{"base", std::string("h2o")}, {"recent", std::int64_t{3}}});
    Session session(decoder(at::kFloat), *policy, {.budget = 20, .chunk = 5, .longest = 90});
    session.feed(someTokens(90));
    bool differ = false;
    for (std::int64_t layer = 0; layer < 3; ++layer) {
        const auto held = session.cache().layer(layer).held();
        EXPECT_EQ(held[0] + held[1], 40);
        differ = differ || held[0] != held[1];
    }
    EXPECT_TRUE(differ);
}

}  // namespace
}  // namespace kvist
