// SPDX-License-Identifier: GPL-3.0-or-later
// Policies whose entries are held as codes, in a session.
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/policies/policy_factory.h"
#include "engine/session/session.h"
#include "tests/engine/support/decoders.h"
#include "tests/engine/support/policies.h"

namespace kvist {
namespace {

using testing::someTokens;

constexpr std::int64_t kBudget = 40;

const Decoder& decoder(at::ScalarType type) {
    static const Decoder single = testing::loadDecoder(testing::tinyModel("untied"), at::kFloat);
    static const Decoder exact = testing::loadDecoder(testing::tinyModel("untied"), at::kDouble);
    return type == at::kDouble ? exact : single;
}

/// Stores with groups small enough for a tiny cache; forms of one behind a colon.
const std::map<std::string, ParameterMap> kStores = {
    {"kivi", {{"group", std::int64_t{4}}, {"residual", std::int64_t{8}}}},
    {"turboquant",
     {{"residual", std::int64_t{3}},
      {"key_bits", std::string("3")},
      {"exempt_first", std::int64_t{0}},
      {"exempt_last", std::int64_t{0}}}},
    {"turboquant:outliers",
     {{"residual", std::int64_t{3}},
      {"block", std::int64_t{6}},
      {"key_bits", std::string("2.5")},
      {"value_bits", std::string("3.25")},
      {"exempt_first", std::int64_t{0}},
      {"exempt_last", std::int64_t{0}}}},
    {"turboquant:product",
     {{"residual", std::int64_t{3}},
      {"key_form", std::string("product")},
      {"exempt_first", std::int64_t{0}},
      {"exempt_last", std::int64_t{0}}}},
    {"think", {{"block", std::int64_t{8}}, {"residual", std::int64_t{4}}, {"window", std::int64_t{6}}}},
};

RunConfig config(const std::string& policy, const std::string& store, ParameterMap more = {}) {
    RunConfig config;
    config.policy = policy;
    config.policyParameters = policy == "adakv" || policy == "snapkv"
                                  ? ParameterMap{{"window", std::int64_t{4}}, {"kernel", std::int64_t{3}}}
                                  : ParameterMap{};
    if (policy == "adakv") {
        config.policyParameters.erase("kernel");
    }
    config.store = store.substr(0, store.find(':'));
    if (!store.empty()) {
        config.storeParameters = kStores.at(store);
        config.storeParameters.merge(more);
    }
    config.seed = 3;
    return config;
}

struct StoredCase {
    std::string policy;
    std::string store;
};

void PrintTo(const StoredCase& one, std::ostream* out) {
    *out << one.policy << " in " << one.store;
}

class StoredSession : public ::testing::TestWithParam<StoredCase> {
protected:
    static SessionOptions options(std::int64_t chunk) { return {.budget = kBudget, .chunk = chunk, .longest = 400}; }
    static std::unique_ptr<PruningPolicy> make() { return makePolicy(config(GetParam().policy, GetParam().store)); }
};

TEST_P(StoredSession, LayerByLayerEqualsInOrder) {
    const auto tokens = someTokens(130);
    const auto policy = make();
    Session layerwise(decoder(at::kDouble), *policy, options(6));
    ASSERT_TRUE(layerwise.runsLayerByLayer());
    const at::Tensor one = layerwise.feed(tokens);
    testing::InOrderPolicy inOrder(make());
    Session ordered(decoder(at::kDouble), inOrder, options(6));
    const at::Tensor other = ordered.feed(tokens);
    EXPECT_EQ(layerwise.keptDigest(), ordered.keptDigest());
    EXPECT_LT((one - other).abs().max().item<double>(), 1e-8);
    EXPECT_EQ(layerwise.stats().payload, ordered.stats().payload);
    EXPECT_EQ(layerwise.timeline().peak().payload, ordered.timeline().peak().payload);
}

TEST_P(StoredSession, ASecondTextEqualsAFreshSessionBitForBit) {
    const auto tokens = someTokens(110);
    const auto policy = make();
    Session session(decoder(at::kFloat), *policy, options(6));
    const at::Tensor first = session.feed(tokens);
    session.reset();
    EXPECT_EQ(session.stats().payload, 0);
    session.feed(someTokens(33));
    session.reset();
    EXPECT_TRUE(at::equal(session.feed(tokens), first));
    const auto fresh = make();
    Session other(decoder(at::kFloat), *fresh, options(6));
    EXPECT_TRUE(at::equal(other.feed(tokens), first));
}

TEST_P(StoredSession, LaterTokensDoNotChangeEarlierStates) {
    auto tokens = someTokens(110);
    const auto stateOf = [&] {
        const auto policy = make();
        return Session(decoder(at::kDouble), *policy, options(6)).feed(tokens);
    };
    const at::Tensor before = stateOf();
    for (std::size_t i = 67; i < tokens.size(); ++i) {
        tokens[i] = (tokens[i] + 17) % 64;
    }
    const at::Tensor after = stateOf();
    EXPECT_LT((before - after).narrow(0, 0, 67).abs().max().item<double>(), 1e-9);
    EXPECT_GT((before - after).narrow(0, 67, 43).abs().max().item<double>(), 1e-2);
}

TEST_P(StoredSession, TakesLessThanThePlainCacheAndKeepsItsPromises) {
    const auto tokens = someTokens(150);
    const auto policy = make();
    Session stored(decoder(at::kFloat), *policy, options(5));
    EXPECT_TRUE(at::isfinite(stored.feed(tokens)).all().item<bool>());
    const auto plainPolicy = makePolicy(config(GetParam().policy, ""));
    Session plain(decoder(at::kFloat), *plainPolicy, options(5));
    plain.feed(tokens);
    std::int64_t held = 0;
    for (std::int64_t layer = 0; layer < stored.cache().shape().layers; ++layer) {
        held += stored.cache().layer(layer).totalHeld();
        if (GetParam().policy != "full") {
            EXPECT_LE(stored.cache().layer(layer).totalHeld(), kBudget * stored.cache().shape().kvHeads);
        }
    }
    EXPECT_EQ(held * stored.cache().shape().entryBytes(), plain.stats().payload);
    EXPECT_LT(stored.stats().payload, plain.stats().payload * (GetParam().store == "think" ? 0.95 : 0.6));
    EXPECT_GT(stored.stats().read, stored.stats().payload) << "scales are read as well";
}

TEST_P(StoredSession, DecodesFromARandomlyFilledCache) {
    const auto policy = make();
    Session session(decoder(at::kFloat), *policy, options(1));
    session.fillRandomly(120, 1);
    EXPECT_TRUE(at::isfinite(session.feed(someTokens(9))).all().item<bool>());
    EXPECT_EQ(session.tokensSeen(), 129);
}

TEST_P(StoredSession, APromptIsCodedWhenItHasEnded) {
    const auto policy = make();
    SessionOptions whole = options(8);
    whole.protocol = SessionProtocol::PrefillThenDecode;
    Session session(decoder(at::kFloat), *policy, whole);
    session.feed(someTokens(100));
    const std::int64_t entry = session.cache().shape().entryBytes();
    EXPECT_EQ(session.stats().payload, 100 * session.cache().shape().layers * session.cache().shape().kvHeads * entry);
    session.endPrompt();
    std::int64_t held = 0;
    for (std::int64_t layer = 0; layer < session.cache().shape().layers; ++layer) {
        held += session.cache().layer(layer).totalHeld();
    }
    EXPECT_LT(session.stats().payload, held * entry);
    EXPECT_TRUE(at::isfinite(session.feed(someTokens(12))).all().item<bool>());
}

std::vector<StoredCase> cases() {
    std::vector<StoredCase> list;
    for (const auto& [store, parameters] : kStores) {
        for (const char* policy : {"full", "window", "h2o", "snapkv", "adakv", "cam", "criticalkv"}) {
            list.push_back({policy, store});
        }
    }
    return list;
}

INSTANTIATE_TEST_SUITE_P(Stores, StoredSession, ::testing::ValuesIn(cases()), [](const auto& tested) {
    std::string name = tested.param.policy + "_" + tested.param.store;
    std::replace(name.begin(), name.end(), ':', '_');
    return name;
});

at::Tensor statesOf(const RunConfig& config) {
    const auto policy = makePolicy(config);
    return Session(decoder(at::kFloat), *policy, {.budget = kBudget, .chunk = 6, .longest = 400}).feed(someTokens(120));
}

TEST(StoredSession, FullPrecisionIsThePlainCacheBitForBit) {
    RunConfig stored = config("window", "kivi", {{"key_bits", std::string("16")}, {"value_bits", std::string("16")}});
    EXPECT_TRUE(at::equal(statesOf(stored), statesOf(config("window", ""))));
    stored = config("window", "kivi", {{"exempt_first", std::int64_t{2}}, {"exempt_last", std::int64_t{1}}});
    EXPECT_TRUE(at::equal(statesOf(stored), statesOf(config("window", ""))));
}

TEST(StoredSession, WhatNeverLeavesTheTailIsExact) {
    for (const auto& [store, parameters] : kStores) {
        RunConfig stored = config("full", store);
        stored.storeParameters["residual"] = std::int64_t{200};
        EXPECT_TRUE(at::allclose(statesOf(stored), statesOf(config("full", "")), 1e-4, 1e-4)) << store;
    }
}

TEST(StoredSession, MoreBitsAreNearerToTheFullCache) {
    const at::Tensor full = statesOf(config("full", ""));
    for (const std::string store : {"kivi", "turboquant"}) {
        double before = 1e9;
        for (const char* bits : {"2", "4", "8"}) {
            if (store == "turboquant" && bits == std::string("8")) {
                continue;
            }
            const RunConfig stored = config("full", store, {});
            RunConfig set = stored;
            set.storeParameters["key_bits"] = std::string(bits);
            set.storeParameters["value_bits"] = std::string(bits);
            const double error = ((statesOf(set) - full).norm() / full.norm()).item<double>();
            EXPECT_GT(error, 0) << store << ' ' << bits;
            EXPECT_LT(error, before / 2) << store << ' ' << bits;
            before = error;
        }
        EXPECT_LT(before, store == "kivi" ? 0.01 : 0.15) << store;
    }
}

TEST(StoredSession, AStoreCannotHaveAStore) {
    EXPECT_ANY_THROW(makePolicy(config("kivi", "kivi")));
    EXPECT_ANY_THROW(storeInfo("window", "full"));
}

TEST(StoredSession, APolicyThatIsAStoreIsTheFullCacheInThatStore) {
    RunConfig alone = config("full", "");
    alone.policy = "kivi";
    alone.policyParameters = kStores.at("kivi");
    EXPECT_TRUE(at::equal(statesOf(alone), statesOf(config("full", "kivi"))));
}

}  // namespace
}  // namespace kvist
