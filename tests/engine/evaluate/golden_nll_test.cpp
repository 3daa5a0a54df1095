// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "engine/evaluate/evaluator.h"
#include "engine/policies/policy_factory.h"
#include "engine/session/session.h"
#include "engine/text/corpus.h"
#include "tests/engine/support/golden_case.h"
#include "tests/engine/support/loaded_models.h"

namespace kvist {
namespace {

using testing::GoldenCase;

const LoadedModel& demo() {
    static const auto model = testing::loadDemoModel(at::kFloat);
    return *model;
}

/// The demo model in float32 against transformers (tests/data/nll).
class GoldenNll : public ::testing::TestWithParam<GoldenCase> {
protected:
    testing::ReplayingPolicy policy() const {
        return {makePolicy(GetParam().config.policy, GetParam().config.policyParameters), GetParam().plans("tie")};
    }
};

TEST_P(GoldenNll, EveryTokenAgreesWithTheReference) {
    const GoldenCase& golden = GetParam();
    auto replaying = policy();
    SilentObserver silent;
    const RunResult result = makeEvaluator("perplexity")->evaluate(demo(), replaying, golden.config, silent, {});
    const std::vector<float> expected = golden.nll();
    ASSERT_EQ(expected.size(), 200u);
    ASSERT_EQ(result.tokenNll.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_NEAR(result.tokenNll[i], expected[i], 1e-3) << "scored token " << i;
    }
    EXPECT_EQ(result.runner, "layer by layer");
    EXPECT_TRUE(result.notes.empty());
}

TEST_P(GoldenNll, EveryLayerKeepsTheSameEntries) {
    const RunConfig& config = GetParam().config;
    const std::int64_t fed = config.warm + config.score;
    const auto tokens = readTokens(config.text, *demo().tokenizer, fed);
    auto replaying = policy();
    Session session(*demo().decoder, replaying, {.budget = config.budget, .chunk = config.chunk, .longest = fed});
    session.feed(tokens);
    const auto expected = GetParam().plans("end");
    EXPECT_EQ(expected.size(), config.policy == "full" ? 0u : 6u);
    for (const auto& [moment, positions] : expected) {
        EXPECT_EQ(moment.tokensSeen, fed);
        const EntryIndex& index = session.cache().layer(moment.layer).index(0);
        std::vector<std::int64_t> held;
        for (std::int64_t i = 0; i < index.count(); ++i) {
            held.push_back(index.position(i));
        }
        EXPECT_EQ(held, positions) << "layer " << moment.layer;
    }
}

INSTANTIATE_TEST_SUITE_P(Reference, GoldenNll, ::testing::ValuesIn(GoldenCase::all()),
                         [](const auto& tested) { return tested.param.name; });

TEST(GoldenNllCases, AreAllThere) {
    EXPECT_EQ(GoldenCase::all().size(), 30u);
}

}  // namespace
}  // namespace kvist
