// SPDX-License-Identifier: GPL-3.0-or-later
// When entries go and which layers are left alone, for any policy.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/policies/policy_factory.h"
#include "engine/session/session.h"
#include "tests/engine/support/decoders.h"
#include "tests/engine/support/engine_error_matcher.h"

namespace kvist {
namespace {

using ::testing::ElementsAre;

const Decoder& decoder() {
    static const Decoder single = testing::loadDecoder(testing::tinyModel("untied"), at::kFloat);
    return single;
}

std::vector<std::int64_t> heldBy(const Session& session) {
    std::vector<std::int64_t> held;
    for (std::int64_t layer = 0; layer < decoder().config().layers; ++layer) {
        held.push_back(session.cache().layer(layer).mostHeld());
    }
    return held;
}

/// Entries of layer 0 when a prompt of 40 has ended and after each of `steps` further tokens.
std::vector<std::int64_t> heldWhileDecoding(const std::string& id, const ParameterMap& parameters, int steps) {
    const auto policy = makePolicy(id, parameters);
    Session session(decoder(), *policy,
                    {.budget = 20, .chunk = 8, .longest = 90, .protocol = SessionProtocol::PrefillThenDecode});
    session.feed(testing::someTokens(40));
    session.endPrompt();
    std::vector<std::int64_t> held{heldBy(session).front()};
    for (int step = 0; step < steps; ++step) {
        session.feed(testing::someTokens(1));
        held.push_back(heldBy(session).front());
    }
    return held;
}

TEST(CommonOptions, EntriesGoAtThePromptsEndAroundEveryChunkOrEveryInterval) {
    for (const char* id : {"window", "h2o", "snapkv", "attention-score"}) {
        SCOPED_TRACE(id);
        EXPECT_THAT(heldWhileDecoding(id, {{"schedule", std::string("prompt-end")}}, 4),
                    ElementsAre(20, 21, 22, 23, 24));
        EXPECT_THAT(heldWhileDecoding(id, {{"schedule", std::string("chunk")}}, 4), ElementsAre(20, 20, 20, 20, 20));
        EXPECT_THAT(heldWhileDecoding(id, {{"schedule", std::string("interval")}, {"interval", std::int64_t{3}}}, 7),
                    ElementsAre(20, 21, 22, 20, 21, 22, 20, 21));
    }
}

TEST(CommonOptions, DefaultsAreThePapers) {
    EXPECT_THAT(heldWhileDecoding("snapkv", {}, 2), ElementsAre(20, 21, 22)) << "what is generated stays";
    EXPECT_THAT(heldWhileDecoding("h2o", {}, 2), ElementsAre(20, 20, 20));
    EXPECT_THAT(heldWhileDecoding("rkv", {{"interval", std::int64_t{2}}}, 3), ElementsAre(20, 21, 20, 21));
}

TEST(CommonOptions, AnIntervalMakesRoomAtOnceWhereTextIsStreamed) {
    const auto policy = makePolicy("window", {{"interval", std::int64_t{5}}});
    Session session(decoder(), *policy, {.budget = 20, .chunk = 1, .longest = 90});
    std::vector<std::int64_t> held;
    for (int token = 0; token < 27; ++token) {
        session.feed(testing::someTokens(1));
        held.push_back(heldBy(session).front());
    }
    held.erase(held.begin(), held.begin() + 18);
    EXPECT_THAT(held, ElementsAre(19, 20, 16, 17, 18, 19, 20, 16, 17));
}

TEST(CommonOptions, SkippedLayersHoldEverything) {
    for (const char* id : {"window", "h2o", "adakv"}) {
        const auto policy = makePolicy(id, {{"skip_layers", std::int64_t{2}}});
        Session session(decoder(), *policy, {.budget = 40, .chunk = 5, .longest = 90});
        session.feed(testing::someTokens(90));
        EXPECT_EQ(session.cache().layer(0).totalHeld(), 180) << id;
        EXPECT_EQ(session.cache().layer(1).totalHeld(), 180) << id;
        EXPECT_EQ(session.cache().layer(2).totalHeld(), 80) << id;
    }
}

TEST(CommonOptions, OptionalParametersLeaveNoTraceAtTheirDefaults) {
    for (const PolicyInfo& info : policyCatalog()) {
        const ParameterMap plain = completed(info.parameters, {}, info.id);
        for (const ParameterSpec& spec : info.parameters) {
            if (spec.isOptional) {
                EXPECT_FALSE(plain.contains(spec.name) && spec.base.empty()) << info.id << ", " << spec.name;
            }
        }
        EXPECT_NE(makePolicy(info.id, {}), nullptr);
    }
    const auto& window = policyInfo("window").parameters;
    EXPECT_EQ(completed(window, {{"skip_layers", std::int64_t{0}}}, ""), completed(window, {}, ""));
    EXPECT_THAT(completed(window, {{"skip_layers", std::int64_t{1}}}, ""),
                ::testing::Contains(::testing::Key("skip_layers")));
}

TEST(BaseParameters, ReachTheScorerOfTheirBaseAlone) {
    const auto window = [](const ParameterMap& parameters) {
        return makePolicy("adakv", parameters)->needs().queryWindow;
    };
    EXPECT_EQ(window({}), 32);
    EXPECT_EQ(window({{"window", std::int64_t{7}}}), 7);
    EXPECT_EQ(window({{"base", std::string("rkv")}}), 8);
    EXPECT_EQ(window({{"base", std::string("rkv")}, {"window", std::int64_t{9}}}), 9);
    EXPECT_THAT(
        [&] {
            window({{"base", std::string("knorm")}, {"window", std::int64_t{9}}});
        },
        testing::throwsEngineError(ErrorKind::InvalidInput, "no parameter window"));
    EXPECT_EQ(makePolicy("pyramidkv", {{"base", std::string("tova")}})->needs().queryWindow, 1);
    // A run of the time before bases had parameters keeps its parameters.
    EXPECT_THAT(completed(policyInfo("adakv").parameters, {}, ""),
                ElementsAre(::testing::Key("base"), ::testing::Key("interval"), ::testing::Key("recent"),
                            ::testing::Key("safeguard"), ::testing::Key("sinks")));
    EXPECT_THAT(completed(policyInfo("pyramidkv").parameters, {}, ""),
                ElementsAre(::testing::Key("beta"), ::testing::Key("interval"), ::testing::Key("kernel"),
                            ::testing::Key("pooling"), ::testing::Key("sinks"), ::testing::Key("window")));
}

}  // namespace
}  // namespace kvist
