// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/utf8.h"

#include <gtest/gtest.h>

namespace kvist {
namespace {

TEST(Utf8, ValidTextStays) {
    const std::string text = std::string("\0", 1) + "a\u00e9\u6f22\U0001f600\U0010ffff\uffff";
    EXPECT_EQ(replaceInvalidUtf8(text), text);
    EXPECT_EQ(replaceInvalidUtf8(""), "");
}

// Expected values: bytes.decode("utf-8", "replace").
TEST(Utf8, EachLongestInvalidPartBecomesOneReplacement) {
    EXPECT_EQ(replaceInvalidUtf8("a\xff"
                                 "b"),
              "a\ufffd"
              "b");
    EXPECT_EQ(replaceInvalidUtf8("\x80\xbf"), "\ufffd\ufffd");
    EXPECT_EQ(replaceInvalidUtf8("\xe4\xbd x"), "\ufffd x");
    EXPECT_EQ(replaceInvalidUtf8("\xf0\x9f\x98"), "\ufffd");
    EXPECT_EQ(replaceInvalidUtf8("\xc0\xaf"), "\ufffd\ufffd");
    EXPECT_EQ(replaceInvalidUtf8("\xe0\x80\xaf"), "\ufffd\ufffd\ufffd");
    EXPECT_EQ(replaceInvalidUtf8("\xed\xa0\x80"), "\ufffd\ufffd\ufffd");
    EXPECT_EQ(replaceInvalidUtf8("\xf4\x90\x80\x80"), "\ufffd\ufffd\ufffd\ufffd");
    EXPECT_EQ(replaceInvalidUtf8("\xe6\xe5\xad\x97"), "\ufffd\u5b57");
}

TEST(Utf8, BlankIsWhatPythonStrips) {
    EXPECT_TRUE(isBlank(""));
    EXPECT_TRUE(isBlank(" \t\n\v\f\r\x1c\x1d\x1e\x1f"));
    EXPECT_TRUE(isBlank("\u0085\u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000"));
    for (const char* text : {"a", " a", "\u200b", "\u180e", "\ufeff", "\x1b", "\u00a1", "\ufffd"}) {
        EXPECT_FALSE(isBlank(text)) << text;
    }
}

}  // namespace
}  // namespace kvist
