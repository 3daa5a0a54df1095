// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/text_encoding.h"

#include <gtest/gtest.h>

#include "tests/engine/support/engine_error_matcher.h"

namespace kvist {
namespace {

using namespace std::string_literals;
using testing::throwsEngineError;

constexpr const char* kText = "a\u00e9\u6f22\U0001f600\r\n\uffff";

/// Expected bytes: Python's str.encode() of the text above.
TEST(TextEncoding, ReadsUtf8AndMarkedUtf16) {
    EXPECT_EQ(toUtf8(kText, "t"), kText);
    EXPECT_EQ(toUtf8("\xEF\xBB\xBF"s + kText, "t"), kText);
    EXPECT_EQ(toUtf8("\xFF\xFE\x61\x00\xE9\x00\x22\x6F\x3D\xD8\x00\xDE\x0D\x00\x0A\x00\xFF\xFF"s, "t"), kText);
    EXPECT_EQ(toUtf8("\xFE\xFF\x00\x61\x00\xE9\x6F\x22\xD8\x3D\xDE\x00\x00\x0D\x00\x0A\xFF\xFF"s, "t"), kText);
    EXPECT_EQ(toUtf8("", "t"), "");
    EXPECT_EQ(toUtf8("\xEF\xBB\xBF", "t"), "");
    EXPECT_EQ(toUtf8("\xFF\xFE", "t"), "");
    EXPECT_EQ(toUtf8("\xFF\xFE\xFF\xDB\xFF\xDF"s, "t"), "\U0010ffff");
}

void expectRefused(const std::string& bytes, const std::string& message) {
    EXPECT_THAT([&] { toUtf8(bytes, "folder/t.txt"); }, throwsEngineError(ErrorKind::UnreadableFile, message));
    EXPECT_THAT([&] { toUtf8(bytes, "folder/t.txt"); },
                throwsEngineError(ErrorKind::UnreadableFile, "folder/t.txt: is "));
    EXPECT_THAT([&] { toUtf8(bytes, "folder/t.txt"); },
                throwsEngineError(ErrorKind::UnreadableFile, "; save the text as UTF-8"));
}

TEST(TextEncoding, OthersAreRefusedWithThePlace) {
    expectRefused("caf\xe9\n", "not UTF-8: 0xE9 at byte 3 (line 1)");
    expectRefused("one\ntwo \xE4\xBD x", "0xE4 at byte 8 (line 2)");
    expectRefused("\xEF\xBB\xBF\n\xFF", "0xFF at byte 4 (line 2)");
    expectRefused("cut \xF0\x9F\x98", "0xF0 at byte 4");
    expectRefused("\x61\x00\x62\x00"s, "a zero at byte 1 (line 1)");
    expectRefused("\xFF\xFE\x61\x00\x62"s, "ends within a character, at byte 4");
    expectRefused("\xFF\xFE\x61\x00\x3D\xD8"s, "half a character at byte 4");
    expectRefused("\xFE\xFF\xDE\x00\x00\x61"s, "half a character at byte 2");
    expectRefused("\xFE\xFF\xD8\x3D\x00\x61"s, "half a character at byte 2");
    expectRefused("\xFF\xFE\x00\x00\x61\x00\x00\x00"s, "UTF-32");
    expectRefused("\x00\x00\xFE\xFF\x00\x00\x00\x61"s, "UTF-32");
}

}  // namespace
}  // namespace kvist
