// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/special_tokens.h"

#include <gtest/gtest.h>

#include <sstream>

namespace kvist {
namespace {

/// The text with tokens as their ids in brackets.
std::string cutUp(const SpecialTokens& tokens, std::string_view text) {
    std::ostringstream shown;
    tokens.cut(
        text, [&](std::string_view part) { shown << "'" << part << "'"; },
        [&](std::int32_t id) { shown << "[" << id << "]"; });
    return shown.str();
}

TEST(SpecialTokens, LeftmostThenLongestWins) {
    const SpecialTokens tokens({{"<a>", 1, false}, {"<a><b>", 2, false}, {"a>", 3, false}, {"b", 4, false}});
    EXPECT_EQ(cutUp(tokens, "<a>"), "[1]");
    EXPECT_EQ(cutUp(tokens, "<a><b>"), "[2]");
    EXPECT_EQ(cutUp(tokens, "<a><a><b>x"), "[1][2]'x'");
    EXPECT_EQ(cutUp(tokens, "xa>b"), "'x'[3][4]");
    EXPECT_EQ(cutUp(tokens, "<<"), "'<<'");
    EXPECT_EQ(cutUp(tokens, ""), "");
}

TEST(SpecialTokens, NoneLeavesTheTextWhole) {
    const SpecialTokens tokens({});
    EXPECT_EQ(cutUp(tokens, "<|im_end|>"), "'<|im_end|>'");
    EXPECT_FALSE(tokens.hasByte('<'));
}

}  // namespace
}  // namespace kvist
