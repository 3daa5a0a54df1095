// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluate/drift_evaluator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/api/evaluation_catalog.h"
#include "engine/api/metric_catalog.h"
#include "engine/evaluate/equal_tokens.h"
#include "engine/policies/policy_factory.h"
#include "engine/session/text_generator.h"
#include "engine/text/corpus.h"
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

TEST(EqualTokens, AreCountedPlaceByPlace) {
    using Ids = std::vector<std::int32_t>;
    const auto compared = [](const Ids& a, const Ids& b) { return compareTokens(a, b); };
    EXPECT_EQ(compared({1, 2, 3}, {1, 2, 3}).firstDifference, std::nullopt);
    EXPECT_EQ(compared({1, 2, 3}, {1, 2, 3}).share, 1.0);
    EXPECT_EQ(compared({1, 9, 3, 9}, {1, 2, 3, 4}).firstDifference, 1u);
    EXPECT_EQ(compared({1, 9, 3, 9}, {1, 2, 3, 4}).share, 0.5);
    EXPECT_EQ(compared({1, 2}, {1, 2, 3, 4}).firstDifference, 2u) << "one text has ended";
    EXPECT_EQ(compared({1, 2}, {1, 2, 3, 4}).share, 0.5);
    EXPECT_EQ(compared({}, {1}).share, 0.0);
    EXPECT_EQ(compared({}, {}).share, 1.0);
}

class DriftEvaluatorTest : public ::testing::Test {
protected:
    DriftEvaluatorTest() {
        m_config.text = {testing::sampleText("war_of_the_worlds.txt").string(), Segmentation::Whole};
        m_config.evaluation = "drift";
        m_config.warm = 300;
    }

    RunResult evaluate(const std::string& policyId, std::int64_t budget) {
        m_config.policy = policyId;
        m_config.budget = budget;
        m_config.evaluationParameters =
            completed(evaluationInfo("drift").parameters, {{"tokens", std::int64_t{48}}}, "drift");
        const auto policy = makePolicy(policyId, {});
        return DriftEvaluator().evaluate(demo(), *policy, m_config, m_observer, {});
    }

    std::string generated(const std::string& policyId, std::int64_t budget) const {
        const auto policy = makePolicy(policyId, {});
        Session session(*demo().decoder, *policy, {.budget = budget, .chunk = m_config.chunk, .longest = 400});
        std::string text;
        TextGenerator(session, *demo().tokenizer)
            .generate(readTokens(m_config.text, *demo().tokenizer, m_config.warm), 48,
                      [&](std::string_view piece) { text += piece; }, {});
        return text;
    }

    RunConfig m_config;
    testing::RecordingObserver m_observer;
};

TEST_F(DriftEvaluatorTest, TheFullCacheAndAWindowThatHoldsAllDoNotDrift) {
    for (const auto& [policy, budget] : {std::pair{"full", 0}, std::pair{"window", 400}}) {
        const RunResult result = evaluate(policy, budget);
        EXPECT_EQ(result.metrics.at("drift_equal_share"), 1.0);
        EXPECT_FALSE(result.metrics.contains("drift_first_divergence"));
        EXPECT_EQ(result.texts.at("continuation"), result.texts.at("continuation_full"));
    }
}

TEST_F(DriftEvaluatorTest, ASmallWindowDriftsFromWhatBothTextsShow) {
    const RunResult result = evaluate("window", 16);
    const std::string& own = result.texts.at("continuation");
    const std::string& full = result.texts.at("continuation_full");
    EXPECT_EQ(own, generated("window", 16));
    EXPECT_EQ(full, generated("full", 0));
    ASSERT_NE(own, full);
    const double first = result.metrics.at("drift_first_divergence");
    EXPECT_GE(first, 0);
    EXPECT_LT(first, 48);
    EXPECT_LT(result.metrics.at("drift_equal_share"), 1.0);
    EXPECT_GE(result.metrics.at("drift_equal_share"), first / 48);
    EXPECT_EQ(result.metrics.at("kv_payload_peak_bytes"), 16 * 2 * 6 * 2 * 64 * 4);
    EXPECT_EQ(m_observer.progress.back(), std::make_pair(std::int64_t{2 * 348}, std::int64_t{2 * 348}));
    for (const auto& [name, value] : result.metrics) {
        EXPECT_NO_THROW(metricInfo(name));
    }
}

TEST_F(DriftEvaluatorTest, ATextThatIsTooShortIsRefused) {
    m_config.warm = 1 << 30;
    EXPECT_THAT([&] { evaluate("full", 0); }, throwsEngineError(ErrorKind::InvalidInput, "Choose a longer text"));
    m_config.warm = 0;
    EXPECT_THAT([&] { evaluate("full", 0); }, throwsEngineError(ErrorKind::InvalidInput, "warm"));
}

}  // namespace
}  // namespace kvist
