// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/value_range.h"

#include <gmock/gmock.h>

namespace kvist::experiments {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> expanded(const AxisText& text) {
    const auto values = expandedAxis(text);
    EXPECT_TRUE(values) << (values ? "" : values.refusal().message);
    return values ? *values : std::vector<std::string>{};
}

std::string refusal(const AxisText& text) {
    const auto values = expandedAxis(text);
    EXPECT_FALSE(values) << text;
    return values ? "" : values.refusal().message;
}

TEST(ValueRange, TakesSingleValuesAndLists) {
    EXPECT_THAT(expanded("64"), ElementsAre("64"));
    EXPECT_THAT(expanded(" 64,128 , 256,"), ElementsAre("64", "128", "256"));
    EXPECT_THAT(expanded("64, 128, 64"), ElementsAre("64", "128"));
    EXPECT_THAT(expanded("per-head, per-layer"), ElementsAre("per-head", "per-layer"));
}

TEST(ValueRange, MultipliesByAFactor) {
    EXPECT_THAT(expanded("128-2048*2"), ElementsAre("128", "256", "512", "1024", "2048"));
    EXPECT_THAT(expanded("512-8192*4"), ElementsAre("512", "2048", "8192"));
    EXPECT_THAT(expanded("100-500*2"), ElementsAre("100", "200", "400"));
    EXPECT_THAT(expanded("0.1-0.9*3"), ElementsAre("0.1", "0.3", "0.9"));
    EXPECT_THAT(expanded("7-7*2"), ElementsAre("7"));
}

TEST(ValueRange, StepsWithoutDrift) {
    EXPECT_THAT(expanded("0.1-0.9+0.2"), ElementsAre("0.1", "0.3", "0.5", "0.7", "0.9"));
    EXPECT_THAT(expanded("0-64+16"), ElementsAre("0", "16", "32", "48", "64"));
    EXPECT_THAT(expanded("-1 - 1 + 1"), ElementsAre("-1", "0", "1"));
    const auto fine = expanded("0-1+0.01");
    ASSERT_EQ(fine.size(), 101u);
    EXPECT_EQ(fine[7], "0.07");
    EXPECT_EQ(fine[100], "1");
}

TEST(ValueRange, KeepsUnits) {
    EXPECT_THAT(expanded("25%-75%+25%"), ElementsAre("25%", "50%", "75%"));
    EXPECT_THAT(expanded("1-4MiB*2"), ElementsAre("1MiB", "2MiB", "4MiB"));
    EXPECT_THAT(refusal("25%-1MiB+1"), HasSubstr("same unit"));
}

TEST(ValueRange, MixesRangesAndValues) {
    EXPECT_THAT(expanded("16, 64-256*2, 25%"), ElementsAre("16", "64", "128", "256", "25%"));
}

TEST(ValueRange, NamesWhatIsWrong) {
    EXPECT_THAT(refusal(""), HasSubstr("no value given"));
    EXPECT_THAT(refusal(" , "), HasSubstr("64-512*2"));
    EXPECT_THAT(refusal("64-512"), HasSubstr("64-512*2 or 64-512+64"));
    EXPECT_THAT(refusal("512-64*2"), HasSubstr("512-64*2: a range goes from the smaller"));
    EXPECT_THAT(refusal("64-512*1"), HasSubstr("greater than 1"));
    EXPECT_THAT(refusal("0-512*2"), HasSubstr("greater than 0"));
    EXPECT_THAT(refusal("64-512+0"), HasSubstr("a step is greater than 0"));
    EXPECT_THAT(refusal("0-1000000+1"), HasSubstr("more than 1000 values"));
}

TEST(ValueRange, ChecksIntegers) {
    EXPECT_THAT(*expandedIntegers("512-2048*2", 1, 4096), ElementsAre(512, 1024, 2048));
    const auto tooLarge = expandedIntegers("512-8192*2", 1, 4096);
    ASSERT_FALSE(tooLarge);
    EXPECT_EQ(tooLarge.refusal().message, "8192: expected a whole number from 1 to 4096");
    EXPECT_FALSE(expandedIntegers("1.5", 1, 10));
    EXPECT_FALSE(expandedIntegers("many", 1, 10));
}

TEST(ValueRange, ChecksParameters) {
    const auto sinks = ParameterSpec::integer("sinks", "Sinks", 4, 0, 64, "entries", "");
    EXPECT_THAT(*expandedValues(sinks, "0, 4"), ElementsAre(std::int64_t{0}, std::int64_t{4}));
    const auto wrong = expandedValues(sinks, "4, 100");
    ASSERT_FALSE(wrong);
    EXPECT_THAT(wrong.refusal().message, HasSubstr("sinks = 100: expected a whole number from 0 to 64"));
    const auto decay = ParameterSpec::real("decay", "Decay", 1, 0, 1, "", "");
    EXPECT_THAT(*expandedValues(decay, "0.5-1+0.25"), ElementsAre(0.5, 0.75, 1.0));
    const auto flag = ParameterSpec::boolean("normalise", "", false, "");
    EXPECT_THAT(*expandedValues(flag, "true, false"), ElementsAre(true, false));
}

}  // namespace
}  // namespace kvist::experiments
