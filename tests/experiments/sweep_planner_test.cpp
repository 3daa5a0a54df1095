// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/sweep_planner.h"

#include <gmock/gmock.h>

#include <cmath>
#include <set>

#include "engine/api/policy_catalog.h"
#include "experiments/run_key.h"
#include "experiments/sweep_axes.h"
#include "tests/experiments/plan_facts.h"

namespace kvist::experiments {
namespace {

using testing::HasSubstr;

SweepPlan planned(const Sweep& sweep, const PlanFacts& facts = plainFacts()) {
    const auto plan = makePlan(sweep, facts);
    EXPECT_TRUE(plan) << (plan ? "" : plan.refusal().message);
    return plan ? *plan : SweepPlan{};
}

Refusal refused(const Sweep& sweep, const PlanFacts& facts = plainFacts()) {
    const auto plan = makePlan(sweep, facts);
    EXPECT_FALSE(plan);
    return plan ? Refusal{} : plan.refusal();
}

TEST(SweepPlanner, CountsTheRuns) {
    const SweepPlan plan = planned(plainSweep());
    ASSERT_EQ(plan.runs.size(), 3u);  // full ignores the budgets
    EXPECT_EQ(plan.newCount(), 3u);
    EXPECT_EQ(plan.addedBaselineCount(), 0u);
    EXPECT_EQ(plan.runs[0].config.policy, "full");
    EXPECT_EQ(plan.runs[0].config.budget, 0);
    EXPECT_EQ(plan.runs[1].config.budget, 32);
    EXPECT_EQ(plan.runs[2].config.budget, 64);
}

TEST(SweepPlanner, ResolvesEverything) {
    const RunConfig config = planned(plainSweep()).runs[1].config;
    EXPECT_EQ(config.model.path, "/models/fake");
    EXPECT_EQ(config.model.device, "cpu");
    EXPECT_EQ(config.model.dtype, "float32");  // stored as bfloat16, but the fake CPU is slow with it
    EXPECT_EQ(config.model.threads, 2);
    EXPECT_EQ(config.text, (TextChoice{"/texts/book.txt", Segmentation::Whole}));
    EXPECT_EQ(config.warm, 128);
    EXPECT_EQ(config.score, 64);
    EXPECT_EQ(integerOf(config.policyParameters, "sinks"), 4);
}

TEST(SweepPlanner, OnlyJsonLinesHaveAField) {
    PlanFacts facts = plainFacts();
    Sweep sweep = plainSweep();
    const auto fieldOf = [&] { return planned(sweep, facts).runs[0].config.text.field; };
    EXPECT_EQ(fieldOf(), "");
    facts.textFile = "/texts/book.jsonl";
    EXPECT_EQ(fieldOf(), "text");
    sweep.text.field = "body";
    EXPECT_EQ(fieldOf(), "body");
}

TEST(SweepPlanner, ProtocolsHaveBaselinesOfTheirOwnAndDivergenceHasNone) {
    Sweep sweep = plainSweep();
    sweep.evaluations = {{.id = "perplexity",
                          .depths = {},
                          .parameters = {{"protocol", "article, prefill-then-score"}, {"divergence", "true"}}}};
    const SweepPlan plan = planned(sweep);
    ASSERT_EQ(plan.runs.size(), 6u);
    std::set<std::string> baselines;
    for (const PlannedRun& run : plan.runs) {
        const bool isFull = run.config.policy == "full";
        EXPECT_EQ(run.config.evaluationParameters.contains("divergence"), !isFull);
        EXPECT_EQ(run.key == run.baselineKey, isFull);
        baselines.insert(run.baselineKey);
    }
    EXPECT_EQ(baselines.size(), 2u);
    EXPECT_TRUE(planned(plainSweep()).runs[1].config.evaluationParameters.empty()) << "the defaults, as ever";
}

TEST(SweepPlanner, MultipliesTheAxes) {
    Sweep sweep = plainSweep();
    sweep.policies = {{.id = "window", .parameters = {{"sinks", "0, 4"}}},
                      {.id = "attention-score", .parameters = {{"sinks", "0, 4"}, {"recent", "8-16*2"}}}};
    sweep.contexts = {{"128, 256", "64"}, {"512", "32"}};
    sweep.repeats = 2;
    PlanFacts facts = plainFacts();
    facts.models.push_back(facts.models.front());
    facts.models.back().path = "/models/other";
    facts.models.back().fingerprint = "fake-2";
    const SweepPlan plan = planned(sweep, facts);
    const std::size_t groups = 2 * 3 * 2;  // models, contexts, repetitions
    EXPECT_EQ(plan.runs.size(), groups * (2 * (2 + 4) + 1));
    EXPECT_EQ(plan.addedBaselineCount(), groups);
    EXPECT_EQ(plan.duplicates, 0u);
    std::set<std::string> keys;
    for (const PlannedRun& run : plan.runs) {
        keys.insert(run.key);
    }
    EXPECT_EQ(keys.size(), plan.runs.size());
}

TEST(SweepAxes, ParametersOfABaseMultiplyOnlyItsOwnRuns) {
    // The engine's catalog is tested elsewhere; here only where there is a policy with a base.
    const auto& catalog = policyCatalog();
    const auto wrapper =
        std::find_if(catalog.begin(), catalog.end(), [](const auto& one) { return one.id == "adakv"; });
    if (wrapper == catalog.end()) {
        GTEST_SKIP() << "the stand-in catalog has no policy with a base";
    }
    Sweep sweep = plainSweep();
    sweep.policies = {{.id = "adakv", .parameters = {{"base", "snapkv, knorm"}, {"window", "8, 16, 32"}}}};
    EXPECT_EQ(axesOf(sweep).policies.front().parameters.size(), 3U + 1U);
    sweep.policies = {{.id = "adakv", .parameters = {{"base", "knorm"}, {"window", "8"}}}};
    EXPECT_EQ(refused(sweep).key, "policies[0].parameters");
}

TEST(SweepPlanner, PutsTheBaselineFirst) {
    Sweep sweep = plainSweep();
    sweep.policies = {{.id = "window", .parameters = {}}};
    const SweepPlan plan = planned(sweep);
    ASSERT_EQ(plan.runs.size(), 3u);
    EXPECT_EQ(plan.runs[0].config.policy, "full");
    EXPECT_TRUE(plan.runs[0].isAddedBaseline);
    for (const PlannedRun& run : plan.runs) {
        EXPECT_EQ(run.baselineKey, plan.runs[0].key);
    }
    std::swap(sweep.policies.emplace_back().id, sweep.policies.front().id);
    sweep.policies.front().id = "window";
    sweep.policies.back().id = "full";
    EXPECT_EQ(planned(sweep).runs[0].config.policy, "full");
    EXPECT_FALSE(planned(sweep).runs[0].isAddedBaseline);
}

TEST(SweepPlanner, GivesOneRunPerDepth) {
    Sweep sweep = plainSweep();
    sweep.text = {};
    sweep.contexts = {};
    sweep.evaluations = {{.id = "speed", .depths = "512-8192*4", .parameters = {{"samples", "5"}}}};
    PlanFacts facts = plainFacts();
    facts.textFile.clear();
    const SweepPlan plan = planned(sweep, facts);
    ASSERT_EQ(plan.runs.size(), 3u * 3);
    EXPECT_EQ(plan.runs[0].config.depth, 512);
    EXPECT_EQ(plan.runs[8].config.depth, 8192);
    EXPECT_EQ(plan.runs[0].config.warm, 0);
    EXPECT_TRUE(plan.runs[0].config.text.file.empty());
    EXPECT_TRUE(plan.runs[0].textHash.empty());
    EXPECT_EQ(integerOf(plan.runs[0].config.evaluationParameters, "samples"), 5);
    EXPECT_EQ(integerOf(plan.runs[0].config.evaluationParameters, "warmups"), 3);
}

TEST(SweepPlanner, DropsDuplicates) {
    Sweep sweep = plainSweep();
    sweep.budgets = "48, 25%, 32";  // 25 % of 192 are 48
    const SweepPlan plan = planned(sweep);
    EXPECT_EQ(plan.runs.size(), 3u);
    EXPECT_EQ(plan.duplicates, 1u);
}

TEST(SweepPlanner, KnowsWhatIsStored) {
    PlanFacts facts = plainFacts();
    const SweepPlan first = planned(plainSweep(), facts);
    facts.stored[first.runs[0].key] = 7;
    facts.stored[first.runs[2].key] = 9;
    Sweep sweep = plainSweep();
    sweep.policies = {{.id = "window", .parameters = {}}};
    const SweepPlan again = planned(sweep, facts);
    EXPECT_EQ(again.storedCount(), 2u);
    EXPECT_EQ(again.newCount(), 1u);
    EXPECT_EQ(again.addedBaselineCount(), 0u);  // reused
    EXPECT_EQ(again.runs[0].storedId, 7);
    EXPECT_EQ(again.runs[2].storedId, 9);
}

TEST(SweepPlanner, RefusesSingleCombinations) {
    Sweep sweep = plainSweep();
    sweep.budgets = "2, 64";  // two entries cannot hold four sinks
    const SweepPlan plan = planned(sweep);
    ASSERT_EQ(plan.runs.size(), 3u);
    EXPECT_EQ(plan.refusedCount(), 1u);
    EXPECT_EQ(plan.newCount(), 2u);
    EXPECT_FALSE(plan.runs[1].isRunnable());
    EXPECT_FALSE(plan.runs[1].refusal.empty());
    sweep.budgets = "1KiB";
    EXPECT_THAT(planned(sweep).runs[1].refusal, HasSubstr("less than one entry"));
}

TEST(SweepPlanner, RefusesWrongSweeps) {
    Sweep sweep = plainSweep();
    sweep.policies[1].parameters = {{"sinks", "4, -1"}};
    EXPECT_EQ(refused(sweep).key, "policies[1].parameters.sinks");
    sweep.policies[1].parameters = {{"sink", "4"}};
    EXPECT_EQ(refused(sweep).key, "policies[1].parameters");
    EXPECT_THAT(refused(sweep).message, HasSubstr("did you mean sinks?"));
    sweep.policies[1] = {.id = "windw", .parameters = {}};
    EXPECT_EQ(refused(sweep).key, "policies[1].id");
    sweep.policies.clear();
    EXPECT_EQ(refused(sweep).key, "policies");

    sweep = plainSweep();
    sweep.budgets.clear();
    EXPECT_EQ(refused(sweep).key, "budgets");
    sweep.policies.pop_back();  // the full cache needs none
    EXPECT_EQ(planned(sweep).runs.size(), 1u);

    sweep = plainSweep();
    sweep.contexts.clear();
    EXPECT_EQ(refused(sweep).key, "contexts");
    sweep.contexts = {{"128", "0"}};
    EXPECT_EQ(refused(sweep).key, "contexts[0].score");
    sweep = plainSweep();
    sweep.evaluations.clear();
    EXPECT_EQ(refused(sweep).key, "evaluations");
    sweep.evaluations = {{.id = "speed", .depths = "", .parameters = {}}};
    EXPECT_EQ(refused(sweep).key, "evaluations[0].depths");
    sweep = plainSweep();
    sweep.device = "cuda";
    EXPECT_EQ(refused(sweep).key, "device");
    sweep = plainSweep();
    sweep.dtype = "int3";
    EXPECT_EQ(refused(sweep).key, "dtype");
    PlanFacts facts = plainFacts();
    facts.textFile.clear();
    EXPECT_EQ(refused(plainSweep(), facts).key, "text.file");
    facts.models.clear();
    EXPECT_EQ(refused(plainSweep(), facts).key, "model");
}

TEST(SweepPlanner, EstimatesMemory) {
    Sweep sweep = plainSweep();
    sweep.policies = {{.id = "window", .parameters = {}}};
    const SweepPlan plan = planned(sweep);
    const std::int64_t perToken = 2 * 4 * 2 * 64 * 4;  // K and V, layers, KV heads, head size, float32
    EXPECT_EQ(plan.runs[1].kvBytes, 32 * perToken);
    EXPECT_EQ(plan.largestKvBytes(), (128 + 64) * perToken);
    const ModelInfo model = plainFacts().models.front();
    EXPECT_GT(model.parameters, 0);
    EXPECT_EQ(plan.largestMemory(), 4 * model.parameters + plan.largestKvBytes());
    sweep.dtype = "int8";  // a byte a weight, two an element of the cache
    EXPECT_EQ(planned(sweep).largestMemory(), model.parameters + plan.largestKvBytes() / 2);
}

TEST(SweepPlanner, EstimatesTimeFromSimilarRuns) {
    PlanFacts facts = plainFacts();
    EXPECT_TRUE(std::isnan(planned(plainSweep(), facts).secondsToMeasure(false)));
    RunRecord record;
    record.state = RunState::Finished;
    record.modelFingerprint = "fake-1";
    record.config = planned(plainSweep()).runs[1].config;
    record.metrics["seconds"] = 3;
    facts.estimator.add(record);
    EXPECT_DOUBLE_EQ(planned(plainSweep(), facts).secondsToMeasure(false),
                     9);  // the full cache too, for want of better
    record.config = planned(plainSweep()).runs[0].config;
    record.metrics["seconds"] = 1;
    facts.estimator.add(record);
    EXPECT_DOUBLE_EQ(planned(plainSweep(), facts).secondsToMeasure(false), 7);
    facts.stored[planned(plainSweep()).runs[0].key] = 1;
    EXPECT_DOUBLE_EQ(planned(plainSweep(), facts).secondsToMeasure(false), 6);
    EXPECT_DOUBLE_EQ(planned(plainSweep(), facts).secondsToMeasure(true), 7);
    Sweep longer = plainSweep();
    longer.contexts = {{"1280", "640"}};
    EXPECT_DOUBLE_EQ(planned(longer, facts).secondsToMeasure(false), 70);
}

}  // namespace
}  // namespace kvist::experiments
