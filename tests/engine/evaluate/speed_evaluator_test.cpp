// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluate/speed_evaluator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <thread>

#include "engine/api/metric_catalog.h"
#include "engine/api/statistics.h"
#include "engine/policies/policy_factory.h"
#include "engine/runtime/memory_probe.h"
#include "tests/engine/support/engine_error_matcher.h"
#include "tests/engine/support/loaded_models.h"
#include "tests/engine/support/policies.h"
#include "tests/engine/support/recording_observer.h"

namespace kvist {
namespace {

using ::testing::ElementsAre;
using testing::throwsEngineError;

const LoadedModel& demo() {
    static const auto model = testing::loadDemoModel(at::kFloat);
    return *model;
}

/// Counts its plans and takes its time over each.
class SlowPolicy : public testing::PolicyWrapper {
public:
    SlowPolicy(std::unique_ptr<PruningPolicy> inner, std::chrono::milliseconds pause)
        : PolicyWrapper(std::move(inner)), m_pause(pause) {}
    EvictionPlan plan(const LayerView& view, const PlanContext& context) override {
        ++m_plans;
        std::this_thread::sleep_for(m_pause);
        return PolicyWrapper::plan(view, context);
    }
    int plans() const { return m_plans; }

private:
    std::chrono::milliseconds m_pause;
    int m_plans = 0;
};

class SpeedEvaluatorTest : public ::testing::Test {
protected:
    SpeedEvaluatorTest() {
        m_config.evaluation = "speed";
        m_config.evaluationParameters = {
            {"warmups", std::int64_t{2}}, {"samples", std::int64_t{5}}, {"prefill", std::int64_t{0}}};
        m_config.policy = "attention-score";
        m_config.budget = 64;
        m_config.depth = 1000;
    }

    RunResult evaluate(PruningPolicy& policy) {
        return SpeedEvaluator().evaluate(demo(), policy, m_config, m_observer, m_stop.get_token());
    }

    RunConfig m_config;
    testing::RecordingObserver m_observer;
    std::stop_source m_stop;
};

TEST_F(SpeedEvaluatorTest, FiguresFollowFromTheSamples) {
    const auto policy = makePolicy("attention-score", {});
    const RunResult result = evaluate(*policy);
    ASSERT_EQ(result.stepSeconds.size(), 5u);
    std::vector<double> speeds;
    for (const double seconds : result.stepSeconds) {
        EXPECT_GT(seconds, 0);
        speeds.push_back(1 / seconds);
    }
    EXPECT_DOUBLE_EQ(result.metrics.at("decode_tok_s_median"), 1 / median(result.stepSeconds));
    EXPECT_DOUBLE_EQ(result.metrics.at("decode_tok_s_mean"), mean(speeds));
    EXPECT_DOUBLE_EQ(result.metrics.at("decode_tok_s_sd"), sampleDeviation(speeds));
    EXPECT_DOUBLE_EQ(result.metrics.at("decode_ms_p90"), 1000 * percentile(result.stepSeconds, 90));
    EXPECT_GT(result.metrics.at("read_bandwidth_bytes_s"), 0);
    EXPECT_GT(result.metrics.at("arithmetic_flop_s"), 0);
    EXPECT_GT(result.metrics.at("policy_ms_per_step"), 0);
    EXPECT_LT(result.metrics.at("policy_ms_per_step"), 1000 * mean(result.stepSeconds));
    for (const auto& [name, value] : result.metrics) {
        EXPECT_NO_THROW(metricInfo(name));
        EXPECT_TRUE(std::isfinite(value)) << name;
    }
    EXPECT_THAT(m_observer.phases, ElementsAre(RunPhase::Filling, RunPhase::WarmingUp, RunPhase::Timing));
    EXPECT_EQ(m_observer.progress.back(), (std::pair<std::int64_t, std::int64_t>{5, 5}));
}

TEST_F(SpeedEvaluatorTest, ARooflineStandsWhereMemoryIsRead) {
    const auto policy = makePolicy("full", {});
    const RunResult result = evaluate(*policy);
    const double bytes =
        static_cast<double>(demo().decoder->weightBytesPerStep()) + result.metrics.at("kv_read_bytes_per_step");
    if (bytes > static_cast<double>(lastLevelCache())) {
        EXPECT_LE(result.metrics.at("roofline_tok_s"), result.metrics.at("read_bandwidth_bytes_s") / bytes);
    } else {
        EXPECT_FALSE(result.metrics.contains("roofline_tok_s"));
    }
}

TEST_F(SpeedEvaluatorTest, DepthIsTokensSeenAndTheEntriesHeldStandBesideIt) {
    const double perEntry = 2 * 6 * 2 * 64 * 4;
    const auto score = makePolicy("attention-score", {});
    const RunResult pruned = evaluate(*score);
    EXPECT_EQ(pruned.metrics.at("decode_depth"), 1000);
    EXPECT_EQ(pruned.metrics.at("kv_payload_bytes"), 64 * perEntry);
    EXPECT_EQ(pruned.metrics.at("kv_payload_peak_bytes"), 64 * perEntry);
    const auto full = makePolicy("full", {});
    const RunResult whole = evaluate(*full);
    EXPECT_EQ(whole.metrics.at("decode_depth"), 1000);
    EXPECT_EQ(whole.metrics.at("kv_payload_bytes"), 1007 * perEntry) << "the steps append";
}

TEST_F(SpeedEvaluatorTest, PruningIsInsideTheTimedStep) {
    SlowPolicy policy(makePolicy("window", {}), std::chrono::milliseconds(5));
    const RunResult result = evaluate(policy);
    EXPECT_EQ(policy.plans(), 6 * (2 + 5)) << "one plan for each layer and step";
    EXPECT_GE(median(result.stepSeconds), 6 * 0.005);
}

TEST_F(SpeedEvaluatorTest, APromptIsFedAndItsFirstTokenTimed) {
    EXPECT_FALSE(evaluate(*makePolicy("full", {})).metrics.contains("ttft_s")) << "none was asked for";
    SlowPolicy policy(makePolicy("window", {}), std::chrono::milliseconds(2));
    const int without = [&] {
        evaluate(policy);
        return policy.plans();
    }();
    m_config.evaluationParameters["prefill"] = std::int64_t{320};
    const RunResult result = evaluate(policy);
    // Ten chunks of 32 with a budget of 64: from the third on room is made before each, in six layers, twice.
    EXPECT_EQ(policy.plans() - 2 * without, 2 * 6 * 8);
    EXPECT_GT(result.metrics.at("ttft_s"), 6 * 8 * 0.002);
    EXPECT_DOUBLE_EQ(result.metrics.at("prefill_tok_s"), 320 / result.metrics.at("ttft_s"));
    EXPECT_EQ(result.metrics.at("kv_payload_bytes"), 64 * 2 * 6 * 2 * 64 * 4) << "the figures of the steps stay";
}

TEST_F(SpeedEvaluatorTest, SameSeedSameKeptSets) {
    const auto policy = makePolicy("attention-score", {});
    const std::string one = evaluate(*policy).keptDigest;
    EXPECT_EQ(evaluate(*policy).keptDigest, one);
    m_config.seed = 1;
    EXPECT_NE(evaluate(*policy).keptDigest, one);
}

TEST_F(SpeedEvaluatorTest, StopsBetweenSteps) {
    m_config.evaluationParameters["samples"] = std::int64_t{10000};
    SlowPolicy policy(makePolicy("window", {}), std::chrono::milliseconds(1));
    std::jthread canceller([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        m_stop.request_stop();
    });
    const auto start = std::chrono::steady_clock::now();
    EXPECT_THAT([&] { evaluate(policy); }, throwsEngineError(ErrorKind::Cancelled, ""));
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(1200));
}

TEST(MakeEvaluator, KnowsTheCatalogAndNothingElse) {
    EXPECT_NE(makeEvaluator("perplexity"), nullptr);
    EXPECT_NE(makeEvaluator("speed"), nullptr);
    EXPECT_THAT([] { makeEvaluator("sped"); }, throwsEngineError(ErrorKind::InvalidInput, "speed"));
}

}  // namespace
}  // namespace kvist
