// SPDX-License-Identifier: GPL-3.0-or-later
// Going layer by layer through segments of a text must equal going chunk by chunk through all layers, under every
// policy that decides from its own layer's history.
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "engine/evaluate/evaluator.h"
#include "engine/policies/policy_factory.h"
#include "engine/session/session.h"
#include "engine/text/corpus.h"
#include "tests/engine/support/catalog_policies.h"
#include "tests/engine/support/decoders.h"
#include "tests/engine/support/golden_files.h"
#include "tests/engine/support/loaded_models.h"
#include "tests/engine/support/plan_log.h"

namespace kvist {
namespace {

using testing::CatalogCase;
using testing::InOrderPolicy;

/// Log-probabilities of what follows every token, and how they came about.
struct Outcome {
    at::Tensor logProbabilities;
    std::string digest;
    CacheStats peak;
    CacheStats live;
};

/// `segments`: tokens of each piece but the last.
Outcome outcome(const Decoder& decoder, PruningPolicy& policy, const std::vector<std::int32_t>& tokens,
                const SessionOptions& options, std::size_t segment) {
    Session session(decoder, policy, options);
    std::vector<at::Tensor> parts;
    for (std::size_t first = 0; first < tokens.size(); first += segment) {
        const auto part = std::span(tokens).subspan(first, std::min(segment, tokens.size() - first));
        parts.push_back(decoder.logits(session.feed(part)).log_softmax(1));
    }
    return {at::cat(parts), session.keptDigest(), session.timeline().peak(), session.stats()};
}

void expectSame(const Outcome& one, const Outcome& other) {
    EXPECT_EQ(one.digest, other.digest) << "the same plans";
    EXPECT_LT((one.logProbabilities - other.logProbabilities).abs().max().item<double>(), 1e-8);
    EXPECT_EQ(one.peak.payload, other.peak.payload);
    EXPECT_EQ(one.peak.metadata, other.peak.metadata);
    EXPECT_EQ(one.peak.policyState, other.peak.policyState);
    EXPECT_EQ(one.live.payload, other.live.payload);
}

std::vector<CatalogCase> layerPolicies(bool withSmallParameters) {
    std::vector<CatalogCase> cases = testing::prunablePolicies(false);
    std::erase_if(cases, [](const CatalogCase& one) { return one.make()->dependence() != PlanDependence::Layer; });
    for (CatalogCase& one : cases) {
        if (!withSmallParameters) {
            std::erase_if(one.parameters, [](const auto& parameter) { return parameter.first != "base"; });
        }
    }
    return cases;
}

std::string nameOf(const ::testing::TestParamInfo<CatalogCase>& tested) {
    return tested.param.name;
}

/// A random model with grouped heads.
class LayerwiseTiny : public ::testing::TestWithParam<CatalogCase> {};

TEST_P(LayerwiseTiny, EqualsInOrderInFloat64) {
    static const Decoder decoder = testing::loadDecoder(testing::tinyModel("untied"), at::kDouble);
    constexpr std::size_t kLength = 96;
    const auto tokens = testing::someTokens(kLength);
    const auto length = static_cast<std::int64_t>(kLength);
    for (const std::int64_t chunk : {1, 7, 32}) {
        for (const std::int64_t budget : {std::int64_t{40}, length - 1, length, length + 1}) {
            const SessionOptions options{.budget = budget, .chunk = chunk, .longest = length};
            InOrderPolicy inOrder(GetParam().makeFor(decoder));
            const Outcome expected = outcome(decoder, inOrder, tokens, options, kLength);
            const auto used = static_cast<std::size_t>(Session(decoder, inOrder, options).chunk());
            // Of whole chunks: in pieces that divide the text evenly or not, and all at once.
            std::vector<std::size_t> segments = {2 * used};
            if (budget < length - 1) {
                segments.insert(segments.end(), {3 * used, kLength});
            }
            for (const std::size_t segment : segments) {
                SCOPED_TRACE("chunk " + std::to_string(chunk) + ", budget " + std::to_string(budget) + ", segment " +
                             std::to_string(segment));
                const auto policy = GetParam().makeFor(decoder);
                expectSame(outcome(decoder, *policy, tokens, options, segment), expected);
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Policies, LayerwiseTiny, ::testing::ValuesIn(layerPolicies(true)), nameOf);

class LayerwiseDemo : public ::testing::TestWithParam<CatalogCase> {
protected:
    static constexpr std::int64_t kLength = 300;

    static const LoadedModel& model(at::ScalarType type) {
        static const auto exact = testing::loadDemoModel(at::kDouble);
        static const auto single = testing::loadDemoModel(at::kFloat);
        return type == at::kDouble ? *exact : *single;
    }

    static const std::vector<std::int32_t>& tokens() {
        static const auto read = readTokens({testing::sampleText("wiki.test.raw").string(), Segmentation::Lines},
                                            *model(at::kFloat).tokenizer, kLength);
        return read;
    }

    /// Tokens of a segment of whole chunks, which are cut where a layer's budget is small.
    static std::size_t segment(const Decoder& decoder, PruningPolicy& policy) {
        return static_cast<std::size_t>(5 * Session(decoder, policy, options(32)).chunk());
    }

    static SessionOptions options(std::int64_t chunk) { return {.budget = 128, .chunk = chunk, .longest = kLength}; }
};

TEST_P(LayerwiseDemo, EqualsInOrderInFloat64) {
    const Decoder& decoder = *model(at::kDouble).decoder;
    const auto policy = GetParam().makeFor(decoder);
    InOrderPolicy inOrder(GetParam().makeFor(decoder));
    expectSame(outcome(decoder, *policy, tokens(), options(32), segment(decoder, inOrder)),
               outcome(decoder, inOrder, tokens(), options(32), kLength));
}

TEST_P(LayerwiseDemo, ReplayedPlansAgreeInFloat32) {
    const Decoder& decoder = *model(at::kFloat).decoder;
    testing::TapingPolicy taping(GetParam().makeFor(decoder));
    const Outcome one = outcome(decoder, taping, tokens(), options(32), segment(decoder, taping));
    ASSERT_FALSE(taping.tape().empty());
    testing::PlayingPolicy playing(GetParam().makeFor(decoder), taping.tape());
    const Outcome other = outcome(decoder, playing, tokens(), options(32), kLength);
    EXPECT_EQ(playing.played(), taping.tape().size());
    EXPECT_EQ(one.digest, other.digest);
    const std::vector<std::int64_t> ids(tokens().begin() + 1, tokens().end());
    const at::Tensor next = at::tensor(ids).unsqueeze(1);
    const auto nll = [&](const Outcome& run) { return run.logProbabilities.narrow(0, 0, kLength - 1).gather(1, next); };
    EXPECT_LT((nll(one) - nll(other)).abs().max().item<double>(), 1e-4);
}

INSTANTIATE_TEST_SUITE_P(Policies, LayerwiseDemo, ::testing::ValuesIn(layerPolicies(false)), nameOf);

/// The evaluator, whose segments are its own.
TEST(LayerwiseEvaluator, SaysWhichRunnerItTookAndGivesTheSameFigures) {
    const auto model = testing::loadDemoModel(at::kDouble);
    RunConfig config;
    config.text = {testing::sampleText("wiki.test.raw").string(), Segmentation::Lines};
    config.budget = 128;
    config.warm = 500;
    config.score = 100;
    for (const char* id : {"window", "attention-score"}) {
        for (const std::int64_t chunk : {7, 32}) {
            SCOPED_TRACE(id);
            config.policy = id;
            config.chunk = chunk;
            SilentObserver silent;
            const auto layerPolicy = makePolicy(id, {});
            InOrderPolicy inOrder(makePolicy(id, {}));
            const auto evaluator = makeEvaluator("perplexity");
            const RunResult one = evaluator->evaluate(*model, *layerPolicy, config, silent, {});
            const RunResult other = evaluator->evaluate(*model, inOrder, config, silent, {});
            EXPECT_EQ(one.runner, "layer by layer");
            EXPECT_EQ(other.runner, "in order");
            EXPECT_EQ(one.keptDigest, other.keptDigest);
            ASSERT_EQ(one.tokenNll.size(), 100u);
            for (std::size_t i = 0; i < one.tokenNll.size(); ++i) {
                EXPECT_NEAR(one.tokenNll[i], other.tokenNll[i], 1e-6);  // stored as float32
            }
            for (const char* name : {"kv_payload_bytes", "kv_payload_peak_bytes", "kv_metadata_bytes",
                                     "policy_state_bytes", "kv_read_bytes_per_step"}) {
                EXPECT_EQ(one.metrics.at(name), other.metrics.at(name)) << name;
            }
        }
    }
}

}  // namespace
}  // namespace kvist
