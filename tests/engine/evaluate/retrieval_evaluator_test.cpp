// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluate/retrieval_evaluator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "engine/api/evaluation_catalog.h"
#include "engine/api/metric_catalog.h"
#include "engine/api/statistics.h"
#include "engine/evaluate/tasks/task_builder.h"
#include "engine/policies/policy_factory.h"
#include "engine/session/session.h"
#include "tests/engine/support/engine_error_matcher.h"
#include "tests/engine/support/loaded_models.h"
#include "tests/engine/support/recording_observer.h"

namespace kvist {
namespace {

using testing::throwsEngineError;

const LoadedModel& demo() {
    static const auto model = testing::loadDemoModel(at::kFloat);
    return *model;
}

class RetrievalEvaluatorTest : public ::testing::Test {
protected:
    RetrievalEvaluatorTest() {
        m_config.text = {testing::sampleText("war_of_the_worlds.txt").string(), Segmentation::Whole};
        m_config.evaluation = "retrieval";
        m_config.chunk = 32;
        m_config.seed = 1;
    }

    RunResult evaluate(const std::string& policyId, std::int64_t budget, const ParameterMap& parameters) {
        m_config.policy = policyId;
        m_config.budget = budget;
        m_config.evaluationParameters = completed(evaluationInfo("retrieval").parameters, parameters, "retrieval");
        const auto policy = makePolicy(policyId, {});
        return RetrievalEvaluator().evaluate(demo(), *policy, m_config, m_observer, {});
    }

    static double accuracy(const RunResult& result) { return result.metrics.at("retrieval_accuracy"); }

    RunConfig m_config;
    testing::RecordingObserver m_observer;
};

/// The model's card gives 94 to 98 % of digits at these lengths; all four of a number are asked for here.
TEST_F(RetrievalEvaluatorTest, TheDemoModelRecallsWithTheFullCacheAtTheLengthsOfItsCard) {
    for (const std::int64_t length : {256, 512, 1024, 2048, 3072, 4096}) {
        const RunResult result =
            evaluate("full", 0, {{"length", length}, {"samples", std::int64_t{8}}, {"digits", std::int64_t{4}}});
        RecordProperty("accuracy_" + std::to_string(length), std::to_string(accuracy(result)));
        EXPECT_GE(accuracy(result), 0.7) << length;
    }
}

TEST_F(RetrievalEvaluatorTest, WhatLiesFarOutsideASmallWindowIsNotRecalled) {
    const ParameterMap far = {
        {"length", std::int64_t{1024}}, {"depth", 20.0}, {"samples", std::int64_t{12}}, {"digits", std::int64_t{4}}};
    EXPECT_EQ(accuracy(evaluate("window", 128, far)), 0.0);
    EXPECT_GE(accuracy(evaluate("window", 1024, far)), 0.7) << "a window that holds all of it";
    ParameterMap near = far;
    near["depth"] = 95.0;
    EXPECT_GE(accuracy(evaluate("window", 256, near)), 0.7) << "a needle that is still within the window";
}

TEST_F(RetrievalEvaluatorTest, CompressedOnceWithTheQuestionInSight) {
    ParameterMap parameters = {{"length", std::int64_t{1024}},
                               {"samples", std::int64_t{12}},
                               {"digits", std::int64_t{4}},
                               {"protocol", "prefill"}};
    parameters["question"] = "before";
    const RunResult before = evaluate("snapkv", 256, parameters);
    parameters["question"] = "after";
    const RunResult after = evaluate("snapkv", 256, parameters);
    EXPECT_GE(accuracy(before), accuracy(after) + 0.3) << "SnapKV keeps what the end of the prompt attends to";
    EXPECT_NE(before.keptDigest, after.keptDigest);
}

TEST_F(RetrievalEvaluatorTest, FiguresFollowFromTheAnswers) {
    const RunResult result = evaluate("window", 512,
                                      {{"task", "multi-query"},
                                       {"keys", std::int64_t{3}},
                                       {"length", std::int64_t{768}},
                                       {"samples", std::int64_t{6}},
                                       {"digits", std::int64_t{4}}});
    const auto answers = nlohmann::json::parse(result.texts.at("answers"));
    ASSERT_EQ(answers.size(), 6u);
    std::size_t found = 0;
    for (std::size_t i = 0; i < answers.size(); ++i) {
        const auto& one = answers[i];
        ASSERT_EQ(one.at("expected").size(), 3u);
        ASSERT_EQ(one.at("positions").size(), 3u);
        std::size_t held = 0;
        for (const std::string expected : one.at("expected")) {
            held += one.at("answer").get<std::string>().find(expected) != std::string::npos;
        }
        EXPECT_EQ(one.at("found"), held);
        EXPECT_DOUBLE_EQ(result.curves.at("retrieval_score").y.at(i), static_cast<double>(held) / 3);
        found += held;
    }
    EXPECT_DOUBLE_EQ(accuracy(result), static_cast<double>(found) / 18);
    const Interval interval = wilsonInterval(found, 18);
    EXPECT_EQ(result.metrics.at("retrieval_accuracy_low"), interval.low);
    EXPECT_EQ(result.metrics.at("retrieval_accuracy_high"), interval.high);
    EXPECT_LE(result.metrics.at("kv_payload_peak_bytes"), 512 * 2 * 6 * 2 * 64 * 4);
    for (const auto& [name, value] : result.metrics) {
        EXPECT_NO_THROW(metricInfo(name));
    }
    EXPECT_EQ(m_observer.progress.back(), std::make_pair(std::int64_t{6 * 768}, std::int64_t{6 * 768}));
    for (std::size_t i = 1; i < m_observer.progress.size(); ++i) {
        EXPECT_GE(m_observer.progress[i].first, m_observer.progress[i - 1].first);
    }
}

TEST_F(RetrievalEvaluatorTest, RepeatsForASeedAndDiffersForAnother) {
    const ParameterMap few = {{"samples", std::int64_t{2}}, {"length", std::int64_t{384}}};
    const RunResult first = evaluate("attention-score", 64, few);
    const RunResult again = evaluate("attention-score", 64, few);
    EXPECT_EQ(again.texts, first.texts);
    EXPECT_EQ(again.keptDigest, first.keptDigest);
    m_config.seed = 2;
    EXPECT_NE(evaluate("attention-score", 64, few).texts, first.texts);
}

TEST_F(RetrievalEvaluatorTest, EveryTaskAndTheNoiseRun) {
    for (const char* task : {"single", "multi-key", "multi-value", "multi-query", "variable-tracking"}) {
        for (const char* haystack : {"text", "noise"}) {
            const RunResult result = evaluate("window", 128,
                                              {{"task", task},
                                               {"haystack", haystack},
                                               {"samples", std::int64_t{1}},
                                               {"length", std::int64_t{768}},
                                               {"answer", std::int64_t{8}}});
            EXPECT_EQ(nlohmann::json::parse(result.texts.at("answers")).size(), 1u) << task;
        }
    }
}

TEST_F(RetrievalEvaluatorTest, WithoutAChatTemplateTheTextIsGivenPlain) {
    ParameterMap few = {{"samples", std::int64_t{2}}, {"length", std::int64_t{384}}};
    const RunResult plain = evaluate("window", 128, few);
    EXPECT_THAT(plain.notes, ::testing::IsEmpty());
    few["chat"] = "auto";
    const RunResult chat = evaluate("window", 128, few);
    EXPECT_THAT(chat.notes, ::testing::ElementsAre(::testing::HasSubstr("no chat template")));
    EXPECT_EQ(chat.texts, plain.texts);
    EXPECT_EQ(chat.keptDigest, plain.keptDigest);
}

TEST_F(RetrievalEvaluatorTest, StopsWithinASample) {
    std::stop_source stop;
    stop.request_stop();
    m_config.evaluationParameters = completed(evaluationInfo("retrieval").parameters, {}, "retrieval");
    const auto policy = makePolicy("full", {});
    EXPECT_THAT([&] { RetrievalEvaluator().evaluate(demo(), *policy, m_config, m_observer, stop.get_token()); },
                throwsEngineError(ErrorKind::Cancelled, ""));
}

/// A needle is where the sample says, stays as long as the window reaches back to it, and is gone from every layer
/// from the step on at which it leaves.
TEST(RetrievalWindow, ANeedleThatHasLeftIsAbsentFromEveryLayer) {
    constexpr std::int64_t kBudget = 128;
    constexpr std::int64_t kSinks = 4;
    constexpr std::int64_t kChunk = 16;
    RunConfig config;
    config.evaluation = "retrieval";
    config.evaluationParameters = completed(evaluationInfo("retrieval").parameters,
                                            {{"length", std::int64_t{768}}, {"depth", 40.0}}, "retrieval");
    const Haystack haystack = readHaystack({testing::sampleText("war_of_the_worlds.txt").string(), Segmentation::Whole},
                                           *demo().texts, 768, {});
    const TaskSample sample = makeTaskBuilder(taskSettings(config), *demo().tokenizer, haystack)->build(0);
    const TokenSpan needle = sample.needles.at(0);

    const auto policy = makePolicy("window", {{"sinks", kSinks}});
    Session session(*demo().decoder, *policy, {.budget = kBudget, .chunk = kChunk, .longest = 768});
    const auto heldOfNeedle = [&](std::int64_t layer) {
        const EntryIndex& index = session.cache().layer(layer).index(0);
        std::int64_t count = 0;
        for (std::int64_t i = 0; i < index.count(); ++i) {
            count += index.position(i) >= needle.first && index.position(i) < needle.end;
        }
        return count;
    };
    const auto tokens = std::span(sample.context);
    int stepsWith = 0;
    int stepsWithout = 0;
    for (std::size_t fed = 0; fed < tokens.size(); fed += kChunk) {
        session.feed(tokens.subspan(fed, std::min<std::size_t>(kChunk, tokens.size() - fed)));
        const std::int64_t oldest = session.tokensSeen() - (kBudget - kSinks);  // of those in the window
        for (std::int64_t layer = 0; layer < session.cache().shape().layers; ++layer) {
            const std::int64_t inWindow = std::clamp<std::int64_t>(
                std::min(needle.end, session.tokensSeen()) - std::max(needle.first, oldest), 0, needle.end);
            EXPECT_EQ(heldOfNeedle(layer), inWindow) << "layer " << layer << " after " << session.tokensSeen();
        }
        stepsWith += heldOfNeedle(0) > 0;
        stepsWithout += oldest >= needle.end;
    }
    EXPECT_GE(stepsWith, 5);
    EXPECT_GE(stepsWithout, 5);
}

}  // namespace
}  // namespace kvist
