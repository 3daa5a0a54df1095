// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/bounded_decoder.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "engine/policies/policy_factory.h"
#include "tests/engine/support/decoders.h"
#include "tests/engine/support/engine_error_matcher.h"

namespace kvist {
namespace {

using testing::throwsEngineError;

constexpr std::int64_t kBudget = 40;
constexpr std::int64_t kSteps = 300;

const Decoder& demo(at::ScalarType type) {
    static const Decoder wide = testing::loadDecoder(testing::demoModel(), at::kFloat);
    static const Decoder narrow = testing::loadDecoder(testing::demoModel(), at::kBFloat16);
    return type == at::kFloat ? wide : narrow;
}

/// Slots and positions of all layers, in order of position.
std::vector<std::pair<std::size_t, std::int64_t>> held(const Session& session) {
    std::vector<std::pair<std::size_t, std::int64_t>> result;
    for (std::int64_t layer = 0; layer < session.cache().shape().layers; ++layer) {
        const EntryIndex& index = session.cache().layer(layer).index(0);
        for (std::int64_t i = 0; i < index.count(); ++i) {
            result.emplace_back(index.slot(i), index.position(i));
        }
    }
    return result;
}

std::vector<float> scores(const Session& session) {
    std::vector<float> result;
    for (std::int64_t layer = 0; layer < session.cache().shape().layers; ++layer) {
        const auto column = session.cache().layer(layer).index(0).column(0);
        result.insert(result.end(), column.begin(), column.end());
    }
    return result;
}

struct Tested {
    const char* name;
    const char* policy;
    ParameterMap parameters;
    at::ScalarType type = at::kFloat;
    SessionProtocol protocol = SessionProtocol::Streamed;
};

class BoundedSteps : public ::testing::TestWithParam<Tested> {
protected:
    // Thousands of small products, over which threads would mostly wait for each other.
    BoundedSteps() { at::set_num_threads(1); }
    ~BoundedSteps() override { at::set_num_threads(m_threads); }

    std::unique_ptr<PruningPolicy> policy() const { return makePolicy(GetParam().policy, GetParam().parameters); }
    SessionOptions options() const {
        return {.budget = kBudget, .chunk = 16, .longest = 1000, .protocol = GetParam().protocol};
    }

private:
    const int m_threads = at::get_num_threads();
};

TEST_P(BoundedSteps, AreThoseOfTheSessionBitForBit) {
    const Decoder& decoder = demo(GetParam().type);
    const auto tokens = testing::someTokens(100 + kSteps + 20, 4096);
    const auto prompt = std::span(tokens).first(100);
    const auto ownPolicy = policy();
    const auto otherPolicy = policy();
    Session expected(decoder, *ownPolicy, options());
    Session session(decoder, *otherPolicy, options());
    for (Session* each : {&expected, &session}) {
        each->feed(prompt);
        each->endPrompt();
    }
    ASSERT_TRUE(session.replacement());
    {
        BoundedDecoder bounded(session, 4096);
        for (std::size_t i = 100; i < 100 + kSteps; ++i) {
            const at::Tensor logits = decoder.logits(expected.feed(std::span(tokens).subspan(i, 1)));
            ASSERT_EQ(bounded.step(tokens[i]), logits.argmax().item<std::int64_t>()) << "token " << i;
            ASSERT_TRUE(at::equal(bounded.logits(), logits)) << "token " << i;
        }
        bounded.finish();
    }
    EXPECT_EQ(session.keptDigest(), expected.keptDigest());
    EXPECT_EQ(held(session), held(expected));
    EXPECT_EQ(session.tokensSeen(), expected.tokensSeen());
    EXPECT_EQ(session.stats().allocated, expected.stats().allocated);
    EXPECT_EQ(session.timeline().moments().size(), expected.timeline().moments().size());
    EXPECT_EQ(session.timeline().peak().payload, expected.timeline().peak().payload);
    if (GetParam().policy == std::string("attention-score")) {
        EXPECT_EQ(scores(session), scores(expected));
    }
    // The session goes on as if it had been fed.
    const auto rest = std::span(tokens).last(20);
    EXPECT_TRUE(at::equal(session.feed(rest), expected.feed(rest)));
    EXPECT_EQ(session.keptDigest(), expected.keptDigest());
}

const ParameterMap kFewRecent = {{"sinks", std::int64_t{4}}, {"recent", std::int64_t{8}}};

INSTANTIATE_TEST_SUITE_P(
    Policies, BoundedSteps,
    ::testing::Values(
        Tested{"Window", "window", {}}, Tested{"WindowWithoutSinks", "window", {{"sinks", std::int64_t{0}}}},
        Tested{"WindowBFloat16", "window", {}, at::kBFloat16},
        Tested{"WindowAfterAPrompt", "window", {}, at::kFloat, SessionProtocol::PrefillThenDecode},
        Tested{"Score", "attention-score", kFewRecent},
        Tested{"ScoreBFloat16", "attention-score", kFewRecent, at::kBFloat16},
        Tested{"ScoreAfterAPrompt", "attention-score", kFewRecent, at::kBFloat16, SessionProtocol::PrefillThenDecode},
        Tested{"ScoreWithMoreRecentThanThereIsRoom", "attention-score", {{"recent", std::int64_t{1000}}}},
        Tested{"ScoreAlone", "attention-score", {{"sinks", std::int64_t{0}}, {"recent", std::int64_t{0}}}},
        Tested{"ScorePerQuery",
               "attention-score",
               {{"sinks", std::int64_t{2}}, {"recent", std::int64_t{5}}, {"per_query", true}}}),
    [](const auto& tested) { return std::string(tested.param.name); });

TEST(Replacement, NeedsFullCachesOfOneSize) {
    const Decoder& decoder = demo(at::kFloat);
    const auto tokens = testing::someTokens(60, 4096);
    const auto rule = [&](const char* id, const ParameterMap& parameters, std::size_t fed,
                          SessionProtocol protocol = SessionProtocol::Streamed) {
        const auto policy = makePolicy(id, parameters);
        Session session(decoder, *policy, {.budget = kBudget, .chunk = 8, .longest = 100, .protocol = protocol});
        session.feed(std::span(tokens).first(fed));
        return session.replacement().has_value();
    };
    EXPECT_TRUE(rule("window", {}, 60));
    EXPECT_FALSE(rule("window", {}, kBudget - 1)) << "there is room";
    EXPECT_FALSE(rule("window", {}, 60, SessionProtocol::PrefillThenDecode)) << "the prompt has not ended";
    EXPECT_FALSE(rule("window", {{"positions", std::string("compact")}}, 60));
    EXPECT_FALSE(rule("window", {{"interval", std::int64_t{4}}}, 60));
    EXPECT_FALSE(rule("attention-score", {{"skip_layers", std::int64_t{1}}}, 60));
    EXPECT_FALSE(rule("full", {}, 60));
    EXPECT_FALSE(rule("h2o", {}, 60));
    EXPECT_FALSE(rule("kivi", {}, 60));
}

TEST(Replacement, EndsWithAPromptWhereThePolicyDoes) {
    const auto tokens = testing::someTokens(60, 4096);
    for (const char* schedule : {"chunk", "prompt-end"}) {
        const auto policy = makePolicy("window", {{"schedule", std::string(schedule)}});
        Session session(demo(at::kFloat), *policy,
                        {.budget = kBudget, .longest = 100, .protocol = SessionProtocol::PrefillThenDecode});
        session.feed(tokens);
        session.endPrompt();
        EXPECT_EQ(session.replacement().has_value(), schedule == std::string("chunk"));
    }
}

class LentSession : public ::testing::Test {
protected:
    LentSession() { m_session.feed(m_tokens); }

    const std::vector<std::int32_t> m_tokens = testing::someTokens(60, 4096);
    const std::unique_ptr<PruningPolicy> m_policy = makePolicy("attention-score", kFewRecent);
    Session m_session{demo(at::kFloat), *m_policy, {.budget = kBudget, .chunk = 8, .longest = 100}};
};

TEST_F(LentSession, RefusesEverythingUntilItIsBackOrReset) {
    {
        BoundedDecoder bounded(m_session, 4096);
        bounded.step(1);
        EXPECT_THAT([&] { m_session.feed(m_tokens); }, throwsEngineError(ErrorKind::Internal, "reset"));
        EXPECT_FALSE(m_session.replacement());
    }
    EXPECT_THAT([&] { m_session.feed(m_tokens); }, throwsEngineError(ErrorKind::Internal, "reset"));
    m_session.reset();
    const auto policy = makePolicy("attention-score", kFewRecent);
    Session fresh(demo(at::kFloat), *policy, {.budget = kBudget, .chunk = 8, .longest = 100});
    EXPECT_TRUE(at::equal(m_session.feed(m_tokens), fresh.feed(m_tokens)));
}

TEST_F(LentSession, NumbersThatAreNotFiniteAreAnError) {
    BoundedDecoder bounded(m_session, 4096);
    bounded.step(1);
    m_session.cache().layer(3).values().fill_(std::numeric_limits<double>::quiet_NaN());
    EXPECT_THAT([&] { bounded.step(2); }, throwsEngineError(ErrorKind::Numerical, "token 61"));
}

TEST_F(LentSession, TokensBeyondTheVocabularyAreAnError) {
    BoundedDecoder bounded(m_session, 4096);
    EXPECT_THAT([&] { bounded.step(4096); }, throwsEngineError(ErrorKind::InvalidInput, "4096"));
    EXPECT_THAT([&] { bounded.step(-1); }, throwsEngineError(ErrorKind::InvalidInput, "-1"));
}

TEST_F(LentSession, NextTokensAreAmongThoseAskedFor) {
    BoundedDecoder bounded(m_session, 10);
    for (int i = 0; i < 20; ++i) {
        const std::int32_t next = bounded.step(7);
        EXPECT_EQ(next, bounded.logits().narrow(1, 0, 10).argmax().item<std::int64_t>());
        EXPECT_LT(next, 10);
    }
    EXPECT_EQ(bounded.manner(), "launched one operation at a time");
}

}  // namespace
}  // namespace kvist
