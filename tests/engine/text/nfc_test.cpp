// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/nfc.h"

#include <gtest/gtest.h>

namespace kvist {
namespace {

TEST(Nfc, ComposesAndReorders) {
    EXPECT_EQ(toNfc("e\u0301"), "\u00e9");
    EXPECT_EQ(toNfc("q\u0307\u0323"), "q\u0323\u0307");
    EXPECT_EQ(toNfc("\u1112\u1161\u11ab"), "\ud55c");
    EXPECT_EQ(toNfc("\u212b"), "\u00c5");
}

TEST(Nfc, LeavesCompatibilityFormsAndExclusionsApart) {
    EXPECT_EQ(toNfc("\ufb01 \u00b2"), "\ufb01 \u00b2");
    EXPECT_EQ(toNfc("\u0958"), "\u0915\u093c");
}

TEST(Nfc, KeepsEmptyTextsAndZeros) {
    EXPECT_EQ(toNfc(""), "");
    EXPECT_EQ(toNfc(std::string_view("a\0e\u0301", 5)), std::string("a\0\u00e9", 4));
}

TEST(Nfc, KeepsTheJamoBelowTheFirstFinal) {
    EXPECT_EQ(toNfc("\uac00\u11a7"), "\uac00\u11a7");
    EXPECT_EQ(toNfc("\u1100\u1161\u11a7\u11a8\u11a7"), "\uac00\u11a7\u11a8\u11a7");
    EXPECT_EQ(toNfc("\u11a7\u11a7e\u0301"), "\u11a7\u11a7\u00e9");
}

}  // namespace
}  // namespace kvist
