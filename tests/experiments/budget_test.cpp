// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/budget.h"

#include <gmock/gmock.h>

#include "engine/api/model_info.h"

namespace kvist::experiments {
namespace {

using testing::HasSubstr;

constexpr BudgetFacts kFacts{.context = 2048, .kvBytesPerToken = 12288};  // Qwen2.5-0.5B in 16 bits

std::int64_t entries(const std::string& text, const BudgetFacts& facts = kFacts) {
    const auto budget = Budget::parse(text);
    EXPECT_TRUE(budget) << text;
    const auto result = budget->entries(facts);
    EXPECT_TRUE(result) << text;
    return result ? *result : -1;
}

TEST(Budget, TakesTokens) {
    EXPECT_EQ(entries("512"), 512);
    EXPECT_EQ(entries("512", {}), 512);
    EXPECT_EQ(entries("100000"), 100000);
}

TEST(Budget, TakesAShareOfTheContext) {
    EXPECT_EQ(entries("25%"), 512);
    EXPECT_EQ(entries("12.5 %"), 256);
    EXPECT_EQ(entries("33%"), 676);  // 675.84
    EXPECT_EQ(entries("100%"), 2048);
}

TEST(Budget, TakesBytes) {
    EXPECT_EQ(entries("1MiB"), 85);  // 1048576 / 12288 = 85.3
    EXPECT_EQ(entries("512KiB"), 42);
    EXPECT_EQ(entries("2MB"), 162);  // 2000000 / 12288 = 162.8
    EXPECT_EQ(entries("12288 B"), 1);
    EXPECT_EQ(entries("0.5GiB"), 43690);
}

TEST(Budget, CountsBytesAsTheModelDoes) {
    ModelInfo model;
    model.layers = 28;
    model.kvHeads = 2;
    model.headDim = 128;
    EXPECT_EQ(entries("14MiB", {.context = 6144, .kvBytesPerToken = model.kvBytesPerToken(2)}), 512);
}

TEST(Budget, NamesWhatIsWrong) {
    for (const char* text : {"", "x", "-5", "0", "0%", "1.5", "1XiB", "%", "1..5MiB", "12 12"}) {
        const auto budget = Budget::parse(text);
        ASSERT_FALSE(budget) << text;
        EXPECT_THAT(budget.refusal().message, HasSubstr("expected tokens (512)")) << text;
        EXPECT_EQ(budget.refusal().key, "budgets");
    }
    EXPECT_THAT(Budget::parse("120%").refusal().message, HasSubstr("at most 100%"));
    EXPECT_THAT(Budget::parse("1KiB")->entries(kFacts).refusal().message, HasSubstr("1KiB: less than one entry"));
    EXPECT_THAT(Budget::parse("1MiB")->entries({.context = 10}).refusal().message, HasSubstr("need a model"));
}

TEST(Budget, ExpandsAxes) {
    const auto budgets = parseBudgets("64-512*2, 25%, 1MiB");
    ASSERT_TRUE(budgets);
    ASSERT_EQ(budgets->size(), 6u);
    EXPECT_EQ((*budgets)[4].unit(), Budget::Unit::Share);
    EXPECT_EQ((*budgets)[5].unit(), Budget::Unit::Bytes);
    EXPECT_FALSE(parseBudgets("64, many"));
    EXPECT_FALSE(parseBudgets(""));
}

TEST(Budget, ShowsTheOtherForms) {
    EXPECT_EQ(budgetForms(512, kFacts), "512 entries · 25 % of 2048 · 6 MiB");
    EXPECT_EQ(budgetForms(1, {.context = 1000}), "1 entry · 0.1 % of 1000");
    EXPECT_EQ(budgetForms(64, {}), "64 entries");
}

TEST(Budget, WritesBytes) {
    EXPECT_EQ(bytesText(0), "0 B");
    EXPECT_EQ(bytesText(1000), "1000 B");
    EXPECT_EQ(bytesText(655360), "640 KiB");
    EXPECT_EQ(bytesText(1572864), "1.5 MiB");
    EXPECT_EQ(bytesText(std::int64_t{168} << 20), "168 MiB");
    EXPECT_EQ(bytesText(std::int64_t{1} << 30), "1 GiB");
    EXPECT_EQ(bytesText((std::int64_t{1} << 20) - 1), "1 MiB");
}

}  // namespace
}  // namespace kvist::experiments
