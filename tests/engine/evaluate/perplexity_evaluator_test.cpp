// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluate/perplexity_evaluator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "engine/api/metric_catalog.h"
#include "engine/api/statistics.h"
#include "engine/policies/policy_factory.h"
#include "tests/engine/support/engine_error_matcher.h"
#include "tests/engine/support/loaded_models.h"
#include "tests/engine/support/recording_observer.h"
#include "tests/engine/support/temporary_folder.h"

namespace kvist {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::throwsEngineError;

const LoadedModel& demo() {
    static const auto model = testing::loadDemoModel(at::kFloat);
    return *model;
}

class PerplexityEvaluatorTest : public ::testing::Test {
protected:
    PerplexityEvaluatorTest() {
        m_config.text = {testing::sampleText("war_of_the_worlds.txt").string(), Segmentation::Whole};
        m_config.policy = "window";
        m_config.budget = 64;
        m_config.warm = 600;
        m_config.score = 100;
    }

    RunResult evaluate() {
        const auto policy = makePolicy(m_config.policy, m_config.policyParameters);
        return PerplexityEvaluator().evaluate(demo(), *policy, m_config, m_observer, {});
    }

    RunConfig m_config;
    testing::RecordingObserver m_observer;
};

TEST_F(PerplexityEvaluatorTest, FiguresFollowFromTheTokens) {
    const RunResult result = evaluate();
    ASSERT_EQ(result.tokenNll.size(), 100u);
    const Estimate nll = estimate(std::span<const float>(result.tokenNll));
    EXPECT_DOUBLE_EQ(result.metrics.at("nll"), nll.mean);
    EXPECT_DOUBLE_EQ(result.metrics.at("nll_stderr"), nll.standardError);
    EXPECT_DOUBLE_EQ(result.metrics.at("perplexity"), std::exp(nll.mean));
    EXPECT_DOUBLE_EQ(result.metrics.at("perplexity_stderr"), std::exp(nll.mean) * nll.standardError);
    EXPECT_GT(result.metrics.at("prefill_tok_s"), 0);
    for (const auto& [name, value] : result.metrics) {
        EXPECT_NO_THROW(metricInfo(name));
        EXPECT_TRUE(std::isfinite(value)) << name;
    }
}

TEST_F(PerplexityEvaluatorTest, BytesAreExact) {
    const double perEntry = 2 * 6 * 2 * 64 * 4;
    const RunResult window = evaluate();
    EXPECT_EQ(window.metrics.at("kv_payload_bytes"), 64 * perEntry);
    EXPECT_EQ(window.metrics.at("kv_payload_peak_bytes"), 64 * perEntry);
    EXPECT_EQ(window.metrics.at("kv_read_bytes_per_step"), 64 * perEntry);
    EXPECT_EQ(window.metrics.at("policy_state_bytes"), 0);
    EXPECT_GE(window.metrics.at("kv_allocated_bytes"), 64 * perEntry);
    EXPECT_LE(window.metrics.at("kv_allocated_bytes"), 64 * perEntry + 6 * 2 * 2 * 2 * 4096);
    m_config.policy = "full";
    const RunResult full = evaluate();
    EXPECT_EQ(full.metrics.at("kv_payload_bytes"), 700 * perEntry);
    EXPECT_EQ(full.metrics.at("kv_payload_peak_bytes"), 700 * perEntry);
    EXPECT_GT(full.metrics.at("process_peak_bytes"), 700 * perEntry);
    m_config.policy = "attention-score";
    EXPECT_EQ(evaluate().metrics.at("policy_state_bytes"), 6 * 64 * 4);
}

TEST_F(PerplexityEvaluatorTest, CurvesAndProgressAreHeardAsTheyCome) {
    const RunResult result = evaluate();
    EXPECT_EQ(m_observer.curves, result.curves);
    const Curve& nll = result.curves.at("nll");
    ASSERT_EQ(nll.x.size(), 4u);  // blocks of 32: 32 + 32 + 32 + 4
    EXPECT_EQ(nll.x.front(), 632);
    EXPECT_EQ(nll.x.back(), 700);
    EXPECT_NEAR(nll.y.front(), mean(std::vector<double>(result.tokenNll.begin(), result.tokenNll.begin() + 32)), 1e-6);
    EXPECT_EQ(result.curves.at("kv_payload_bytes").x.back(), 700);
    for (const char* kind : {"kv_metadata_bytes", "policy_state_bytes"}) {
        EXPECT_EQ(result.curves.at(kind).x, result.curves.at("kv_payload_bytes").x) << kind;
    }
    EXPECT_GT(result.curves.at("kv_metadata_bytes").y.back(), 0);
    EXPECT_LE(result.curves.at("kv_metadata_bytes").y.back(), result.metrics.at("kv_metadata_bytes"));
    EXPECT_THAT(m_observer.phases, ElementsAre(RunPhase::Tokenizing, RunPhase::Filling, RunPhase::Scoring));
    ASSERT_FALSE(m_observer.progress.empty());
    std::int64_t before = 0;
    for (const auto& [done, total] : m_observer.progress) {
        EXPECT_GE(done, before);
        EXPECT_EQ(total, 700);
        before = done;
    }
    EXPECT_EQ(before, 700);
}

TEST_F(PerplexityEvaluatorTest, RepeatsBitForBit) {
    m_config.policy = "attention-score";
    const RunResult one = evaluate();
    const RunResult other = evaluate();
    EXPECT_EQ(one.tokenNll, other.tokenNll);
    EXPECT_EQ(one.keptDigest, other.keptDigest);
}

TEST_F(PerplexityEvaluatorTest, ScoringMayStartAtTheFirstToken) {
    m_config.warm = 0;
    m_config.score = 1;
    const RunResult result = evaluate();
    EXPECT_EQ(result.tokenNll.size(), 1u);
    EXPECT_FALSE(result.metrics.contains("nll_stderr")) << "one token has no standard error";
}

TEST_F(PerplexityEvaluatorTest, ALargerWarmScoresTheSameTokensAlike) {
    const RunResult late = evaluate();
    m_config.warm = 650;
    m_config.score = 50;
    const RunResult later = evaluate();
    EXPECT_EQ(std::vector<float>(late.tokenNll.begin() + 50, late.tokenNll.end()), later.tokenNll);
}

TEST_F(PerplexityEvaluatorTest, ACutChunkIsNoted) {
    m_config.budget = 20;
    EXPECT_THAT(evaluate().notes, ElementsAre(HasSubstr("15")));
}

TEST_F(PerplexityEvaluatorTest, AShortTextIsScoredAsFarAsItGoesAndNoted) {
    const testing::TemporaryFolder folder;
    m_config.text = {folder.write("short.txt", "The Martians came down the road to Weybridge at noon.\n").string(),
                     Segmentation::Lines};
    const auto there = static_cast<std::int64_t>(
        demo().tokenizer->encode("The Martians came down the road to Weybridge at noon.\n\n").size());
    ASSERT_GT(there, 8);
    m_config.warm = 4;
    m_config.score = 1000;
    const RunResult result = evaluate();
    EXPECT_EQ(static_cast<std::int64_t>(result.tokenNll.size()), there - 5);
    EXPECT_THAT(result.notes, ElementsAre(HasSubstr(std::to_string(there - 5) + " of 1000")));

    m_config.warm = there - 1;  // nothing would be left to score
    EXPECT_THAT([&] { evaluate(); }, throwsEngineError(ErrorKind::InvalidInput, "short.txt"));
    m_config.warm = there - 2;
    EXPECT_EQ(evaluate().tokenNll.size(), 1u);
}

TEST_F(PerplexityEvaluatorTest, AMissingTextIsNamed) {
    m_config.text.file = "/no/such/text.txt";
    EXPECT_THAT([&] { evaluate(); }, throwsEngineError(ErrorKind::UnreadableFile, "/no/such/text.txt"));
}

}  // namespace
}  // namespace kvist
