// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/nearest_name.h"

#include <gtest/gtest.h>

namespace kvist {
namespace {

const std::vector<std::string> kKnown = {"full", "window", "attention-score"};

TEST(NearestName, FindsTheClosestOfSeveral) {
    EXPECT_EQ(nearestName("windows", kKnown), "window");
    EXPECT_EQ(nearestName("wnidow", kKnown), "window");
    EXPECT_EQ(nearestName("attention_score", kKnown), "attention-score");
    EXPECT_EQ(nearestName("ful", kKnown), "full");
}

TEST(NearestName, ExactNameIsItsOwnNearest) {
    EXPECT_EQ(nearestName("full", kKnown), "full");
}

TEST(NearestName, IsEmptyWhereNothingIsNear) {
    EXPECT_EQ(nearestName("quantise", kKnown), "");
    EXPECT_EQ(nearestName("", kKnown), "");
    EXPECT_EQ(nearestName("window", {}), "");
}

TEST(NearestName, HalfOfTheLettersIsTheLimit) {
    EXPECT_EQ(nearestName("abcd", {"abxy"}), "abxy");
    EXPECT_EQ(nearestName("abcd", {"axyz"}), "");
}

}  // namespace
}  // namespace kvist
