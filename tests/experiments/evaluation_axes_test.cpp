// SPDX-License-Identifier: GPL-3.0-or-later
// Evaluations that bring their own lengths, and those that read contexts without scoring them.
#include <gmock/gmock.h>

#include <set>

#include "experiments/run_key.h"
#include "experiments/sweep_file.h"
#include "tests/experiments/plan_facts.h"

namespace kvist::experiments {
namespace {

SweepPlan planned(const Sweep& sweep) {
    const auto plan = makePlan(sweep, plainFacts());
    EXPECT_TRUE(plan) << (plan ? "" : plan.refusal().message);
    return plan ? *plan : SweepPlan{};
}

Sweep retrievalSweep() {
    Sweep sweep = plainSweep();
    sweep.contexts.clear();
    sweep.evaluations = {
        {.id = "retrieval", .depths = {}, .parameters = {{"length", "256-1024*2"}, {"depth", "0, 50, 100"}}}};
    return sweep;
}

TEST(EvaluationAxes, LengthAndDepthOfRetrievalAreAxes) {
    const SweepPlan plan = planned(retrievalSweep());
    EXPECT_EQ(plan.runs.size(), 3u * 3u * 3u);  // full and two budgets
    std::set<std::pair<std::int64_t, double>> places;
    for (const PlannedRun& run : plan.runs) {
        places.emplace(integerOf(run.config.evaluationParameters, "length"),
                       realOf(run.config.evaluationParameters, "depth"));
        EXPECT_EQ(run.config.text.file, "/texts/book.txt");
        EXPECT_EQ(run.config.warm + run.config.score + run.config.depth, 0);
        EXPECT_EQ(contextTokens(run.config), integerOf(run.config.evaluationParameters, "length"));
    }
    EXPECT_EQ(places.size(), 9u);
}

TEST(EvaluationAxes, SharesOfABudgetReferToTheLength) {
    Sweep sweep = retrievalSweep();
    sweep.budgets = "25%";
    for (const PlannedRun& run : planned(sweep).runs) {
        if (run.config.policy == "window") {
            EXPECT_EQ(run.config.budget, contextTokens(run.config) / 4);
        }
    }
}

TEST(EvaluationAxes, RetrievalNeedsAText) {
    PlanFacts facts = plainFacts();
    facts.textFile.clear();
    const auto plan = makePlan(retrievalSweep(), facts);
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.refusal().key, "text.file");
}

TEST(EvaluationAxes, DriftTakesTheWarmTokensOfTheContextsOnce) {
    Sweep sweep = plainSweep();
    sweep.contexts = {{"128", "64, 32"}, {"256", "64"}};
    sweep.policies = {{.id = "full", .parameters = {}}};
    sweep.evaluations = {{.id = "drift", .depths = {}, .parameters = {{"tokens", "16"}}}};
    const SweepPlan plan = planned(sweep);
    ASSERT_EQ(plan.runs.size(), 2u);
    EXPECT_EQ(plan.duplicates, 0u);
    EXPECT_EQ(plan.runs[0].config.warm, 128);
    EXPECT_EQ(plan.runs[0].config.score, 0);
    EXPECT_EQ(contextTokens(plan.runs[0].config), 144);
    EXPECT_EQ(contextTokens(plan.runs[1].config), 272);
}

TEST(EvaluationAxes, SweepFilesHoldThem) {
    Sweep sweep = retrievalSweep();
    sweep.evaluations.push_back({.id = "drift", .depths = {}, .parameters = {{"tokens", "16, 32"}}});
    const auto read = parseSweep(toJson(sweep));
    ASSERT_TRUE(read) << read.refusal().message;
    EXPECT_EQ(read->evaluations, sweep.evaluations);
    const auto wrong = parseSweep(R"({"kvist_sweep": 1, "evaluations": [{"id": "retrieval", "lenght": 256}]})");
    ASSERT_FALSE(wrong);
    EXPECT_THAT(wrong.refusal().message, testing::HasSubstr("length"));
}

TEST(EvaluationAxes, EveryParameterIsPartOfTheKey) {
    const RunConfig plain = planned(retrievalSweep()).runs[1].config;
    RunConfig other = plain;
    other.evaluationParameters["question"] = std::string("before");
    EXPECT_NE(runKey(other, "m", "t"), runKey(plain, "m", "t"));
    EXPECT_EQ(baselineOf(other).evaluationParameters, other.evaluationParameters);
}

}  // namespace
}  // namespace kvist::experiments
