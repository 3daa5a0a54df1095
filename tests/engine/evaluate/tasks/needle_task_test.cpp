// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluate/tasks/needle_task.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/engine/evaluate/tasks/task_settings_of.h"
#include "tests/engine/support/engine_error_matcher.h"
#include "tests/engine/support/golden_files.h"

namespace kvist {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::StartsWith;
using testing::taskSettingsOf;
using testing::throwsEngineError;

class NeedleTaskTest : public ::testing::Test {
protected:
    TaskSample sample(const ParameterMap& parameters, std::int64_t number = 0, std::uint64_t seed = 0) const {
        return makeTaskBuilder(taskSettingsOf(parameters, seed), *m_tokenizer, m_haystack)->build(number);
    }
    std::string text(const std::vector<std::int32_t>& ids) const { return m_tokenizer->decode(ids); }
    std::string needle(const TaskSample& one, std::size_t index) const {
        const TokenSpan& place = one.needles.at(index);
        return text({one.context.begin() + place.first, one.context.begin() + place.end});
    }

    const std::unique_ptr<Tokenizer> m_tokenizer = openTokenizer(testing::demoModel());
    TextReader m_reader{*m_tokenizer};
    const Haystack m_haystack =
        readHaystack({testing::sampleText("war_of_the_worlds.txt").string(), Segmentation::Whole}, m_reader, 512, {});
};

TEST_F(NeedleTaskTest, OneNeedleInRulersWords) {
    const TaskSample one = sample({{"length", std::int64_t{512}}});
    ASSERT_EQ(one.expected.size(), 1u);
    EXPECT_THAT(one.expected[0], MatchesRegex("[1-9][0-9][0-9][0-9][0-9][0-9][0-9]"));
    EXPECT_THAT(text(one.context), HasSubstr("A special magic number is hidden within the following text. Make sure to "
                                             "memorize it. I will quiz you about the number afterwards.\n"));
    const std::string question = text(one.question);
    EXPECT_THAT(question, HasSubstr("What is the special magic number for "));
    const std::size_t from = question.find(" for ") + 5;
    const std::string key = question.substr(from, question.find(" mentioned") - from);
    EXPECT_THAT(question, EndsWith("What is the special magic number for " + key +
                                   " mentioned in the provided text? The special magic number for " + key +
                                   " mentioned in the provided text is"));
    EXPECT_THAT(needle(one, 0),
                HasSubstr("One of the special magic numbers for " + key + " is: " + one.expected[0] + "."));
}

TEST_F(NeedleTaskTest, TakesExactlyTheLength) {
    for (const char* task : {"single", "multi-key", "multi-value", "multi-query", "variable-tracking"}) {
        for (const char* question : {"after", "before"}) {
            const TaskSample one = sample({{"task", task}, {"question", question}, {"length", std::int64_t{768}}});
            EXPECT_EQ(one.context.size() + one.question.size() + 64, 768u) << task << question;
        }
    }
}

TEST_F(NeedleTaskTest, ADepthIsThePlaceInTheText) {
    double last = -1;
    for (const double depth : {0.0, 25.0, 50.0, 75.0, 100.0}) {
        const TaskSample one = sample({{"length", std::int64_t{2048}}, {"depth", depth}});
        const double place = static_cast<double>(one.needles[0].first) / static_cast<double>(one.context.size());
        EXPECT_NEAR(place, depth / 100, 0.06) << depth;
        EXPECT_GT(place, last);
        last = place;
    }
    std::set<std::int64_t> drawn;
    for (std::int64_t number = 0; number < 8; ++number) {
        drawn.insert(sample({{"length", std::int64_t{2048}}}, number).needles[0].first / 100);
    }
    EXPECT_GE(drawn.size(), 5u) << "a drawn depth differs between samples";
}

TEST_F(NeedleTaskTest, DistractorsHaveOtherKeysAndValues) {
    const TaskSample one = sample({{"task", "multi-key"}, {"keys", std::int64_t{6}}});
    ASSERT_EQ(one.expected.size(), 1u);
    std::set<std::string> sentences;
    const std::string context = text(one.context);
    for (std::size_t at = context.find("One of the special"); at != context.npos;
         at = context.find("One of the special", at + 1)) {
        sentences.insert(context.substr(at, context.find('.', at) - at));
    }
    EXPECT_EQ(sentences.size(), 6u);
    EXPECT_EQ(std::count_if(sentences.begin(), sentences.end(),
                            [&](const std::string& s) { return s.ends_with(one.expected[0]); }),
              1);
    EXPECT_THAT(text(one.question), HasSubstr("What is the special magic number for "));
}

TEST_F(NeedleTaskTest, SeveralValuesOfOneKey) {
    const TaskSample one = sample({{"task", "multi-value"}, {"values", std::int64_t{3}}, {"depth", 30.0}});
    EXPECT_EQ(std::set<std::string>(one.expected.begin(), one.expected.end()).size(), 3u);
    EXPECT_THAT(text(one.context), HasSubstr("Some special magic numbers are hidden within the following text."));
    EXPECT_THAT(text(one.question), AllOf(HasSubstr("What are all the special magic numbers for "),
                                          EndsWith("mentioned in the provided text are")));
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_THAT(needle(one, i), HasSubstr("is: " + one.expected[i] + "."));
    }
    EXPECT_EQ(one.needles[0].end, one.needles[1].first) << "at one depth they stand together";
}

TEST_F(NeedleTaskTest, SeveralKeysAreListed) {
    const TaskSample one = sample({{"task", "multi-query"}, {"keys", std::int64_t{3}}});
    EXPECT_EQ(one.expected.size(), 3u);
    EXPECT_THAT(text(one.question), MatchesRegex(".*numbers for [^,]+, [^,]+, and [^,]+ mentioned in the provided "
                                                 "text\\? The special magic numbers for [^,]+, [^,]+, and .*"));
}

TEST_F(NeedleTaskTest, WhereAllIsStreamedAQuestionSeenBeforeStandsInFront) {
    const TaskSample after = sample({});
    const TaskSample before = sample({{"question", "before"}});
    const TaskSample whole = sample({{"question", "before"}, {"protocol", "prefill"}});
    EXPECT_THAT(text(before.context), HasSubstr("What is the special magic number for "));
    EXPECT_THAT(text(after.context), Not(HasSubstr("What is the special")));
    EXPECT_EQ(whole.context, after.context);
    EXPECT_EQ(before.question, after.question);
    EXPECT_EQ(before.expected, after.expected);
}

TEST_F(NeedleTaskTest, AChatTurnStandsAroundTextAndQuestion) {
    const ParameterMap parameters = {{"question", "before"}, {"length", std::int64_t{512}}};
    TaskSettings settings = taskSettingsOf(parameters, 0);
    settings.turnBegin = "<user>";
    settings.turnEnd = "</user>\n<assistant>";
    const TaskSample chat = makeTaskBuilder(settings, *m_tokenizer, m_haystack)->build(0);
    const std::string context = text(chat.context);
    const std::string question = text(chat.question);
    EXPECT_THAT(context, MatchesRegex("\\s*<user>What is the special magic number for .*"));
    EXPECT_THAT(question, HasSubstr("provided text?</user>\n<assistant>The special magic number for "));
    EXPECT_THAT(question, EndsWith("mentioned in the provided text is"));
    EXPECT_EQ(chat.context.size() + chat.question.size() + 64, 512u) << "the turn counts";
    EXPECT_EQ(chat.expected, sample(parameters).expected);
}

TEST_F(NeedleTaskTest, SamplesFollowFromSeedAndNumber) {
    EXPECT_EQ(sample({}, 3, 5).context, sample({}, 3, 5).context);
    EXPECT_NE(sample({}, 3, 5).expected, sample({}, 4, 5).expected);
    EXPECT_NE(sample({}, 3, 5).expected, sample({}, 3, 6).expected);
    EXPECT_EQ(sample({{"length", std::int64_t{512}}}, 3, 5).expected, sample({}, 3, 5).expected)
        << "the same is asked at every length";
}

TEST_F(NeedleTaskTest, ALengthThatIsTooShortNamesTheLeastOne) {
    EXPECT_THAT(
        [&] {
            sample({{"length", std::int64_t{128}}});
        },
        throwsEngineError(ErrorKind::InvalidInput, "needs at least"));
}

TEST_F(NeedleTaskTest, VariablesAreTrackedInRulersWords) {
    const TaskSample one = sample({{"task", "variable-tracking"}, {"hops", std::int64_t{2}}});
    ASSERT_EQ(one.expected.size(), 3u);
    EXPECT_THAT(needle(one, 0), MatchesRegex("\\s*VAR " + one.expected[0] + " = [1-9][0-9][0-9][0-9][0-9]\\s*"));
    EXPECT_THAT(needle(one, 1), HasSubstr("VAR " + one.expected[1] + " = VAR " + one.expected[0]));
    EXPECT_THAT(needle(one, 2), HasSubstr("VAR " + one.expected[2] + " = VAR " + one.expected[1]));
    EXPECT_LT(one.needles[0].first, one.needles[1].first);
    EXPECT_LT(one.needles[1].first, one.needles[2].first);
    const std::string value = needle(one, 0).substr(needle(one, 0).find("= ") + 2, 5);
    EXPECT_THAT(text(one.question),
                EndsWith("Question: Find all variables that are assigned the value " + value +
                         " in the text above. Answer: According to the chain(s) of variable assignment in the text "
                         "above, 3 variables are assigned the value " +
                         value + ", they are:"));
    const std::string context = text(one.context);
    EXPECT_THAT(context, HasSubstr("Memorize and track the chain(s) of variable assignment hidden in the following "
                                   "text.\n"));
    EXPECT_THAT(context, HasSubstr("they are:")) << "a worked example stands before the text";
    EXPECT_EQ(context.find(value), context.rfind(value)) << "the example has another value";
}

}  // namespace
}  // namespace kvist
