// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/compact_positions.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "engine/evaluate/evaluator.h"
#include "engine/policies/policy_factory.h"
#include "engine/session/session.h"
#include "tests/engine/support/decoders.h"
#include "tests/engine/support/engine_error_matcher.h"
#include "tests/engine/support/loaded_models.h"
#include "tests/engine/support/policies.h"
#include "tests/engine/support/temporary_folder.h"

namespace kvist {
namespace {

using testing::someTokens;
using testing::throwsEngineError;

const Decoder& exact() {
    static const Decoder loaded = testing::loadDecoder(testing::tinyModel("untied"), at::kDouble);
    return loaded;
}

ParameterMap parameters(const std::string& positions, std::int64_t sinks) {
    return {{"sinks", sinks}, {"positions", positions}};
}

at::Tensor greatestDifference(const at::Tensor& one, const at::Tensor& other) {
    return (one.to(at::kDouble) - other.to(at::kDouble)).abs().max();
}

at::Tensor states(const Decoder& decoder, const std::string& positions, std::size_t count,
                  const SessionOptions& options) {
    const auto policy = makePolicy("window", parameters(positions, 2));
    return Session(decoder, *policy, options).feed(someTokens(count));
}

TEST(CompactPositions, AreTheOriginalOnesUntilSomethingGoes) {
    const SessionOptions options{.budget = 24, .chunk = 5, .longest = 60};
    const at::Tensor compact = states(exact(), "compact", 60, options);
    const at::Tensor original = states(exact(), "original", 60, options);
    const at::Tensor apart = (compact - original).abs().amax(1);
    // Room is made before the fifth chunk of five.
    EXPECT_LT(apart.narrow(0, 0, 20).max().item<double>(), 1e-9);
    EXPECT_GT(apart.narrow(0, 20, 40).min().item<double>(), 1e-6);
}

TEST(CompactPositions, ATurnUndoesOneRotationAndMakesTheOther) {
    const RotaryEmbedding rotary(8, 5000, at::TensorOptions(at::kDouble),
                                 YarnScaling{.factor = 4, .originalPositions = 16});
    const at::Tensor from = at::tensor({70000, 3, 12}, at::kLong);
    const at::Tensor to = at::tensor({5, 3, 80}, at::kLong);
    const RotaryAngles start = rotary.angles(from);
    const RotaryAngles turn = rotary.turn(from, to);
    const RotaryAngles end = rotary.angles(to);
    EXPECT_LT(greatestDifference(start.cos * turn.cos - start.sin * turn.sin, end.cos).item<double>(), 1e-12);
    EXPECT_LT(greatestDifference(start.sin * turn.cos + start.cos * turn.sin, end.sin).item<double>(), 1e-12);
}

TEST(CompactPositions, AgreeWithTransformers) {
    const auto golden = nlohmann::json::parse(testing::readBytes(testing::dataFolder() / "policies" / "compact.json"));
    const auto tokens = golden["tokens"].get<std::vector<std::int32_t>>();
    ASSERT_EQ(golden["cases"].size(), 4u);
    for (const auto& one : golden["cases"]) {
        testing::TemporaryFolder folder;
        folder.write("config.json", testing::readBytes(testing::dataFolder() / one["config"].get<std::string>()));
        const auto expected = one["nll"].get<std::vector<double>>();
        for (const at::ScalarType type : {at::kDouble, at::kFloat}) {
            SCOPED_TRACE(one["config"].dump() + ", sinks " + one["sinks"].dump() + ", chunk " + one["chunk"].dump());
            const Decoder decoder(readModelConfig(folder.path()), Weights(testing::tinyModel("untied")),
                                  at::TensorOptions(type));
            const auto policy = makePolicy("window", parameters("compact", one["sinks"].get<std::int64_t>()));
            Session session(decoder, *policy, {.budget = one["budget"], .chunk = one["chunk"], .longest = 80});
            const at::Tensor chances = decoder.logits(session.feed(tokens)).to(at::kDouble).log_softmax(1);
            ASSERT_EQ(expected.size() + 1, tokens.size());
            for (std::size_t i = 0; i < expected.size(); ++i) {
                EXPECT_NEAR(-chances[static_cast<std::int64_t>(i)][tokens[i + 1]].item<double>(), expected[i], 1e-4);
            }
        }
    }
}

TEST(CompactPositions, ReachStepsAfterACompressedPrompt) {
    const auto decoded = [](const std::string& positions, bool inOrder) {
        auto policy = makePolicy("window", parameters(positions, 2));
        if (inOrder) {
            policy = std::make_unique<testing::InOrderPolicy>(std::move(policy));
        }
        Session session(exact(), *policy,
                        {.budget = 20, .chunk = 8, .longest = 90, .protocol = SessionProtocol::PrefillThenDecode});
        const at::Tensor prompt = session.feed(someTokens(40));
        session.endPrompt();
        std::vector<at::Tensor> steps{prompt};
        for (int step = 0; step < 6; ++step) {
            steps.push_back(session.feed(someTokens(1)));
        }
        return at::cat(steps);
    };
    const at::Tensor compact = decoded("compact", false);
    EXPECT_LT(greatestDifference(compact, decoded("compact", true)).item<double>(), 1e-9);
    const at::Tensor apart = (compact - decoded("original", false)).abs().amax(1);
    EXPECT_LT(apart.narrow(0, 0, 40).max().item<double>(), 1e-9) << "the prompt is whole";
    EXPECT_GT(apart.narrow(0, 40, 6).min().item<double>(), 1e-6);
}

TEST(CompactPositions, AreReadFromStores) {
    const auto fed = [](const std::string& positions, const std::string& store, bool inOrder) {
        RunConfig config;
        config.policy = "window";
        config.policyParameters = parameters(positions, 2);
        config.store = store;
        if (!store.empty()) {
            config.storeParameters = {{"key_bits", std::string("8")},
                                      {"value_bits", std::string("8")},
                                      {"group", std::int64_t{4}},
                                      {"residual", std::int64_t{8}}};
        }
        auto policy = makePolicy(config);
        if (inOrder) {
            policy = std::make_unique<testing::InOrderPolicy>(std::move(policy));
        }
        Session session(exact(), *policy, {.budget = 40, .chunk = 8, .longest = 150});
        const at::Tensor hidden = session.feed(someTokens(150));
        EXPECT_EQ(session.cache().layer(0).isCoded(), !store.empty());
        return hidden;
    };
    const at::Tensor coded = fed("compact", "kivi", false);
    EXPECT_LT(greatestDifference(coded, fed("compact", "kivi", true)).item<double>(), 1e-9);
    const double byCodes = greatestDifference(coded, fed("compact", "", false)).item<double>();
    const double byPositions = greatestDifference(coded, fed("original", "kivi", false)).item<double>();
    EXPECT_GT(byCodes, 0);
    EXPECT_LT(10 * byCodes, byPositions);
}

TEST(CompactPositions, HoldInSixteenBits) {
    const Decoder narrow = testing::loadDecoder(testing::tinyModel("bfloat16_seven"), at::kBFloat16);
    const Decoder wide = testing::loadDecoder(testing::tinyModel("bfloat16_seven"), at::kFloat);
    const SessionOptions options{.budget = 24, .chunk = 5, .longest = 3000};
    const at::Tensor stored = states(narrow, "compact", 3000, options);
    EXPECT_EQ(stored.scalar_type(), at::kBFloat16);
    // Rounding does not grow with the number of turns: the last tokens are no worse than the first.
    const at::Tensor apart = (stored.to(at::kFloat) - states(wide, "compact", 3000, options)).abs().mean(1);
    EXPECT_LT(apart.narrow(0, 2000, 1000).mean().item<double>(), 1.5 * apart.narrow(0, 0, 1000).mean().item<double>());
}

/// Asks for more than compact positions allow.
class GreedyPolicy : public testing::PolicyWrapper {
public:
    using PolicyWrapper::PolicyWrapper;
    PolicyNeeds needs() const override {
        PolicyNeeds needs = PolicyWrapper::needs();
        needs.queryWindow = 4;
        return needs;
    }
};

/// Gives the first layer one entry more.
class SlopingPolicy : public testing::PolicyWrapper {
public:
    using PolicyWrapper::PolicyWrapper;
    std::int64_t layerBudget(std::int64_t budget, std::int64_t layer, std::int64_t) const override {
        return layer == 0 ? budget + 1 : budget;
    }
};

TEST(CompactPositions, AreRefusedBesideWhatTheyExclude) {
    auto uneven = parameters("compact", 2);
    uneven["skip_layers"] = std::int64_t{1};
    EXPECT_THAT([&] { makePolicy("window", uneven); }, throwsEngineError(ErrorKind::InvalidInput, "skip_layers"));
    uneven["positions"] = std::string("original");
    EXPECT_NE(makePolicy("window", uneven), nullptr);
    const SessionOptions options{.budget = 24, .chunk = 5, .longest = 60};
    GreedyPolicy greedy(makePolicy("window", parameters("compact", 2)));
    EXPECT_THAT([&] { Session(exact(), greedy, options); },
                throwsEngineError(ErrorKind::Internal, "compact positions"));
    SlopingPolicy sloping(makePolicy("window", parameters("compact", 2)));
    EXPECT_THAT([&] { Session(exact(), sloping, options); }, throwsEngineError(ErrorKind::InvalidInput, "all layers"));
    EXPECT_THAT(
        [&] {
            makePolicy("adakv", {{"base", std::string("window")}, {"positions", std::string("compact")}});
        },
        throwsEngineError(ErrorKind::InvalidInput, "no parameter positions"));
}

TEST(CompactPositions, LeaveNoTraceAtTheDefault) {
    const auto& specs = policyInfo("window").parameters;
    EXPECT_EQ(completed(specs, {{"positions", std::string("original")}}, ""), completed(specs, {}, ""));
    EXPECT_THAT(completed(specs, parameters("compact", 4), ""), ::testing::Contains(::testing::Key("positions")));
}

TEST(CompactPositions, FarIntoATextNothingDependsOnHowFar) {
    // Ten tokens over and over. Three layers of at most 24 entries look back no further than 72 tokens, but to sinks.
    std::vector<std::int32_t> tokens;
    for (std::int32_t i = 0; i < 600; ++i) {
        tokens.push_back((7 * (i % 10) + 3) % 64);
    }
    const auto changeOf = [&](const std::string& positions) {
        const auto policy = makePolicy("window", parameters(positions, 2));
        Session session(exact(), *policy, {.budget = 24, .chunk = 5, .longest = 600});
        const at::Tensor hidden = session.feed(tokens);
        return greatestDifference(hidden.narrow(0, 200, 10), hidden.narrow(0, 590, 10)).item<double>();
    };
    EXPECT_LT(changeOf("compact"), 1e-9);
    EXPECT_GT(changeOf("original"), 1e-4) << "sinks are ever further away";
}

TEST(CompactPositions, CarryAModelBeyondTheLengthThatItWasTrainedFor) {
    const auto model = testing::loadDemoModel(at::kFloat);
    RunConfig config;
    config.text = {testing::sampleText("wiki.test.raw").string(), Segmentation::Lines};
    config.policy = "window";
    config.policyParameters = parameters("compact", 4);
    config.budget = 256;
    config.score = 512;
    const auto perplexityAfter = [&](std::int64_t warm) {
        config.warm = warm;
        const auto policy = makePolicy(config);
        SilentObserver silent;
        return makeEvaluator("perplexity")->evaluate(*model, *policy, config, silent, {}).metrics.at("perplexity");
    };
    const std::int64_t trained = model->decoder->config().maxPositions;
    // Other lines of the text differ by less than this; a model that is lost is some hundreds of times worse.
    EXPECT_LT(perplexityAfter(3 * trained), 2 * perplexityAfter(trained / 4));
}

}  // namespace
}  // namespace kvist
