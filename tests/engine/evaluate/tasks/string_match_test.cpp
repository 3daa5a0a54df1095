// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluate/tasks/string_match.h"

#include <gtest/gtest.h>

namespace kvist {
namespace {

TEST(StringMatch, CountsTheStringsThatStandInTheAnswer) {
    EXPECT_EQ(matchedStrings(" 1234567. And so on", {"1234567"}), 1);
    EXPECT_EQ(matchedStrings(" 12345670", {"1234567"}), 1) << "as a substring, as RULER has it";
    EXPECT_EQ(matchedStrings(" 123456 7", {"1234567"}), 0);
    EXPECT_EQ(matchedStrings("one 11, three 33", {"11", "22", "33"}), 2);
    EXPECT_EQ(matchedStrings("VAR abcde", {"ABCDE", "abcde"}), 2);
    EXPECT_EQ(matchedStrings("", {"1"}), 0);
}

}  // namespace
}  // namespace kvist
