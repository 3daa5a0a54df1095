// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "engine/policies/global_policy.h"
#include "engine/policies/kvzip_policy.h"
#include "engine/policies/policy_factory.h"
#include "engine/session/session.h"
#include "tests/engine/support/decoders.h"
#include "tests/engine/support/engine_error_matcher.h"

namespace kvist {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using Positions = std::vector<std::vector<std::vector<std::int64_t>>>;

const json& golden() {
    static const json data = json::parse(testing::readBytes(testing::dataFolder() / "policies" / "kvzip.json"));
    return data;
}

const Decoder& decoder() {
    static const Decoder exact = testing::loadDecoder(testing::tinyModel("untied"), at::kDouble);
    return exact;
}

/// Knows the ids of the instructions that the golden file knows.
class FixedTokenizer : public Tokenizer {
public:
    std::vector<std::int32_t> encode(std::string_view text) const override {
        return golden().at("ids").at(std::string(text)).get<std::vector<std::int32_t>>();
    }
    std::string decode(std::span<const std::int32_t>) const override { return {}; }
    std::int64_t vocabularySize() const override { return 64; }
    std::optional<std::int32_t> endOfText() const override { return std::nullopt; }
    std::string name() const override { return "fixed"; }
};

Positions positionsOf(const Session& session) {
    Positions result;
    for (std::int64_t layer = 0; layer < decoder().config().layers; ++layer) {
        auto& heads = result.emplace_back();
        const LayerCache& cache = session.cache().layer(layer);
        for (std::size_t head = 0; head < cache.held().size(); ++head) {
            auto& list = heads.emplace_back();
            const EntryIndex& index = cache.index(cache.indexes() == 1 ? 0 : head);
            for (std::int64_t i = 0; i < index.count(); ++i) {
                list.push_back(index.position(i));
            }
        }
    }
    return result;
}

TEST(KvZip, TheGreatestAttentionOfAnyQueryCounts) {
    // Two queries of one head, no sinks, a part of two entries; all logits are 0 but that of query 1 and entry 1.
    const at::Tensor queries = at::tensor({0.0, 0.0, std::log(2.0) * std::sqrt(2.0), 0.0}).view({2, 1, 2});
    const at::Tensor keys = at::tensor({0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0}).view({4, 2});
    // Query 0 sees part and itself: 1/3 each. Query 1: 1 + 2 + 1 + 1.
    const at::Tensor greatest = KvZipPolicy::greatestAttention(queries, keys, 0, 2, {});
    EXPECT_NEAR(greatest[0].item<double>(), 1.0 / 3, 1e-6);
    EXPECT_NEAR(greatest[1].item<double>(), 2.0 / 5, 1e-6);
    // With the first entry as a sink the part is the second alone.
    EXPECT_NEAR(KvZipPolicy::greatestAttention(queries, keys, 1, 1, {}).item<double>(), 2.0 / 5, 1e-6);
    // Factors of queries 3 and 1/2, of entries 1 and 5: 1 and max(1 / 3 · 3 · 5, 2 / 5 · 1 / 2 · 5).
    const KvZipPolicy::Factors factors{at::tensor({3.0, 0.5}), at::tensor({1.0, 5.0}).view({1, 2})};
    const at::Tensor weighed = KvZipPolicy::greatestAttention(queries, keys, 0, 2, factors);
    EXPECT_NEAR(weighed[0].item<double>(), 1.0, 1e-6);
    EXPECT_NEAR(weighed[1].item<double>(), 5.0, 1e-6);
}

TEST(KvZip, LengthsOfTheProjectedValues) {
    // Two heads of a group project (1, 2) to (1, -2) and (4, 3), and (0, 1) to (0, -1) and (2, 0).
    const at::Tensor values = at::tensor({1.0, 2.0, 0.0, 1.0}).view({2, 2});
    const at::Tensor weight = at::tensor({1.0, 0.0, 0.0, 2.0, 0.0, -1.0, 3.0, 0.0}).view({2, 4});
    const at::Tensor lengths = KvZipPolicy::outputLengths(values, weight);
    EXPECT_TRUE(at::allclose(lengths, at::tensor({std::sqrt(5.0), 1.0, 5.0, 2.0}).view({2, 2})));
}

class KvZipNormalises : public ::testing::TestWithParam<bool> {};

TEST_P(KvZipNormalises, KeepsWhatKvPressKeeps) {
    const auto prompt = golden().at("prompt").get<std::int64_t>();
    const auto budget = golden().at("budget").get<std::int64_t>();
    const auto policy =
        makePolicy("kvzip", {{"part", golden().at("part").get<std::int64_t>()}, {"normalise", GetParam()}});
    const FixedTokenizer tokenizer;
    Session session(decoder(), *policy,
                    {.budget = budget,
                     .chunk = 32,
                     .longest = prompt + 20,
                     .protocol = SessionProtocol::PrefillThenDecode,
                     .tokenizer = &tokenizer});
    for (int sample = 0; sample < 2; ++sample) {
        session.reset();
        session.feed(testing::someTokens(static_cast<std::size_t>(prompt)));
        session.endPrompt();
        EXPECT_EQ(positionsOf(session), golden().at(GetParam() ? "kept_plus" : "kept").get<Positions>());
        EXPECT_EQ(policy->stateBytes(), 0) << "scores are not kept";
        session.feed(testing::someTokens(20));
        for (const auto& heads : positionsOf(session)) {
            for (const auto& list : heads) {
                EXPECT_EQ(list.back(), prompt + 19);
                EXPECT_EQ(list[list.size() - 20], prompt) << "what is generated stays";
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(KvZip, KvZipNormalises, ::testing::Bool());

TEST(KvZip, RefusesToBeStreamed) {
    const auto policy = makePolicy("kvzip", {});
    EXPECT_THAT([&] { Session(decoder(), *policy, {.budget = 20, .chunk = 5, .longest = 50}); },
                testing::throwsEngineError(ErrorKind::InvalidInput, "prompt"));
}

TEST(GlobalBudget, TheLowestScoresOfTheWholeModelGo) {
    const auto policy =
        makePolicy("global", {{"base", std::string("knorm")}, {"sinks", std::int64_t{2}}, {"recent", std::int64_t{3}}});
    const auto alone = makePolicy("knorm", {{"sinks", std::int64_t{2}}, {"recent", std::int64_t{3}}});
    const SessionOptions options{
        .budget = 20, .chunk = 32, .longest = 60, .protocol = SessionProtocol::PrefillThenDecode};
    const auto heldAfter = [&](PruningPolicy& one) {
        Session session(decoder(), one, options);
        session.feed(testing::someTokens(60));
        session.endPrompt();
        return positionsOf(session);
    };
    // By hand: keys of a full cache, their norms, the largest 300 - 3 * 2 * 20 between sinks and recent entries.
    const auto full = makePolicy("full", {});
    Session whole(decoder(), *full, options);
    whole.feed(testing::someTokens(60));
    std::vector<std::tuple<double, int, int, int>> norms;
    for (int layer = 0; layer < 3; ++layer) {
        const at::Tensor keys = LayerView(whole.cache().layer(layer)).keys(0).norm(2, {-1});
        for (int head = 0; head < 2; ++head) {
            for (int i = 2; i < 57; ++i) {
                norms.emplace_back(-keys[head][i].item<double>(), layer, head, i);
            }
        }
    }
    std::sort(norms.begin(), norms.end());
    Positions expected(3, std::vector<std::vector<std::int64_t>>(2, {0, 1, 57, 58, 59}));
    for (std::size_t i = 3 * 2 * 40; i < norms.size(); ++i) {
        const auto& [norm, layer, head, position] = norms[i];
        expected[static_cast<std::size_t>(layer)][static_cast<std::size_t>(head)].push_back(position);
    }
    for (auto& heads : expected) {
        for (auto& list : heads) {
            std::sort(list.begin(), list.end());
        }
    }
    EXPECT_EQ(heldAfter(*policy), expected);
    EXPECT_NE(heldAfter(*alone), expected);
}

}  // namespace
}  // namespace kvist
