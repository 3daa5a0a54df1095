// SPDX-License-Identifier: GPL-3.0-or-later
// Both protocols and the comparison with the full cache, against transformers (tests/data/divergence).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/api/metric_catalog.h"
#include "engine/evaluate/perplexity_evaluator.h"
#include "engine/policies/policy_factory.h"
#include "tests/engine/support/engine_error_matcher.h"
#include "tests/engine/support/loaded_models.h"
#include "tests/engine/support/policies.h"
#include "tests/engine/support/recording_observer.h"
#include "tests/engine/support/temporary_folder.h"

namespace kvist {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using testing::throwsEngineError;

const LoadedModel& demo() {
    static const auto model = testing::loadDemoModel(at::kFloat);
    return *model;
}

const nlohmann::json& golden() {
    static const nlohmann::json values = [] {
        std::ifstream file(testing::dataFolder() / "divergence" / "divergence.json");
        return nlohmann::json::parse(file);
    }();
    return values;
}

class Divergence : public ::testing::Test {
protected:
    Divergence() {
        m_config.text = {testing::sampleText("war_of_the_worlds.txt").string(), Segmentation::Whole};
        m_config.policy = "window";
        m_config.policyParameters = {{"sinks", std::int64_t{golden().at("sinks")}}};
        m_config.warm = golden().at("warm");
        m_config.score = golden().at("score");
        m_config.chunk = golden().at("chunk");
        m_config.evaluationParameters["divergence"] = true;
    }

    RunResult evaluate() {
        const auto policy = makePolicy(m_config.policy, m_config.policyParameters);
        return evaluate(*policy);
    }

    RunResult evaluate(PruningPolicy& policy) {
        m_observer = {};
        return PerplexityEvaluator(PredictionStore(m_folder.path())).evaluate(demo(), policy, m_config, m_observer, {});
    }

    void use(const nlohmann::json& one) {
        m_config.budget = one.at("budget");
        m_config.evaluationParameters["protocol"] = one.at("protocol").get<std::string>();
    }

    testing::TemporaryFolder m_folder;
    RunConfig m_config;
    testing::RecordingObserver m_observer;
};

TEST_F(Divergence, FiguresAgreeWithTransformers) {
    for (const auto& one : golden().at("cases")) {
        SCOPED_TRACE(one.at("protocol").get<std::string>() + " " + std::to_string(one.at("budget").get<int>()));
        use(one);
        const RunResult result = evaluate();
        const auto nll = one.at("nll").get<std::vector<double>>();
        ASSERT_EQ(result.tokenNll.size(), nll.size());
        for (std::size_t i = 0; i < nll.size(); ++i) {
            ASSERT_NEAR(result.tokenNll[i], nll[i], 2e-4) << i;
        }
        EXPECT_NEAR(result.metrics.at("kl_mean"), one.at("kl_mean").get<double>(), 1e-4);
        EXPECT_NEAR(result.metrics.at("kl_median"), one.at("kl_median").get<double>(), 2e-4);
        EXPECT_NEAR(result.metrics.at("kl_p99"), one.at("kl_p99").get<double>(), 1e-3);
        EXPECT_NEAR(result.metrics.at("delta_p_rms"), one.at("delta_p_rms").get<double>(), 1e-5);
        EXPECT_NEAR(result.metrics.at("same_top"), one.at("same_top").get<double>(), 1e-6);
        EXPECT_EQ(m_observer.curves, result.curves);
        const auto kl = one.at("kl").get<std::vector<double>>();
        double block = 0;
        for (std::size_t i = 32; i < 64; ++i) {
            block += kl[i] / 32;
        }
        EXPECT_NEAR(result.curves.at("kl").y.at(1), block, 2e-4);
        EXPECT_EQ(result.curves.at("kl").x, result.curves.at("nll").x);
        EXPECT_EQ(result.curves.at("same_top").x.size(), result.curves.at("delta_p_rms").y.size());
        for (const auto& [name, value] : result.metrics) {
            EXPECT_NO_THROW(metricInfo(name));
            EXPECT_TRUE(std::isfinite(value)) << name;
        }
    }
}

TEST_F(Divergence, TheFullCachesPredictionsAreComputedOnceAndKept) {
    use(golden().at("cases").at(0));
    const RunResult first = evaluate();
    EXPECT_THAT(m_observer.phases, Contains(RunPhase::Baseline));
    EXPECT_THAT(first.notes, Contains(HasSubstr("kept for later")));
    const RunResult second = evaluate();
    EXPECT_THAT(m_observer.phases, ::testing::Not(Contains(RunPhase::Baseline)));
    EXPECT_THAT(second.notes, Contains(HasSubstr("earlier run")));
    EXPECT_EQ(second.metrics.at("kl_mean"), first.metrics.at("kl_mean"));
    m_config.policy = "attention-score";
    evaluate();
    EXPECT_THAT(m_observer.phases, ::testing::Not(Contains(RunPhase::Baseline))) << "whatever the policy";
    m_config.warm -= 1;
    evaluate();
    EXPECT_THAT(m_observer.phases, Contains(RunPhase::Baseline)) << "other tokens";
}

TEST_F(Divergence, TheFullCacheDivergesFromItselfByNothing) {
    m_config.policy = "full";
    m_config.policyParameters.clear();
    const RunResult result = evaluate();
    EXPECT_NEAR(result.metrics.at("kl_mean"), 0, 1e-5);
    EXPECT_NEAR(result.metrics.at("delta_p_rms"), 0, 1e-6);
    EXPECT_EQ(result.metrics.at("same_top"), 1);
}

TEST_F(Divergence, WithoutItNothingIsComparedOrKept) {
    m_config.budget = 64;
    m_config.evaluationParameters.clear();
    const RunResult result = evaluate();
    EXPECT_FALSE(result.metrics.contains("kl_mean"));
    EXPECT_FALSE(result.curves.contains("kl"));
    EXPECT_TRUE(std::filesystem::is_empty(m_folder.path()));
}

TEST_F(Divergence, TheExtraPassStaysOutOfTheFiguresOfMemory) {
    use(golden().at("cases").at(0));
    const RunResult with = evaluate();
    m_config.evaluationParameters["divergence"] = false;
    const RunResult without = evaluate();
    for (const char* name : {"kv_payload_bytes", "kv_payload_peak_bytes", "kv_allocated_bytes", "nll"}) {
        EXPECT_EQ(with.metrics.at(name), without.metrics.at(name)) << name;
    }
}

TEST_F(Divergence, PrefillThenScoreHoldsThePromptAndSaysSo) {
    m_config.evaluationParameters = {{"protocol", std::string("prefill-then-score")}};
    m_config.budget = 64;
    const double perEntry = 2 * 6 * 2 * 64 * 4;
    testing::ScheduledPolicy once(makePolicy("window", {}), PlanSchedule::PrefillEnd);
    const RunResult result = evaluate(once);
    EXPECT_EQ(result.metrics.at("kv_payload_peak_bytes"), 300 * perEntry);
    EXPECT_EQ(result.metrics.at("kv_payload_bytes"), (64 + 200) * perEntry) << "what is generated stays";
    EXPECT_THAT(result.notes, Contains(HasSubstr("300 tokens were held whole")));
    EXPECT_THAT(m_observer.phases, ::testing::ElementsAre(RunPhase::Tokenizing, RunPhase::Filling, RunPhase::Scoring));
    EXPECT_GT(result.metrics.at("prefill_tok_s"), 0);
    EXPECT_EQ(evaluate().metrics.at("kv_payload_bytes"), 64 * perEntry) << "a window is pruned at every chunk";

    m_config.warm = 0;
    EXPECT_THAT([&] { evaluate(); }, throwsEngineError(ErrorKind::InvalidInput, "prompt"));
}

}  // namespace
}  // namespace kvist
