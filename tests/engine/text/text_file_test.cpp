// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/text_file.h"

#include <gtest/gtest.h>

#include "engine/api/text_field.h"
#include "tests/engine/support/engine_error_matcher.h"
#include "tests/engine/support/temporary_folder.h"

namespace kvist::testing {
namespace {

using namespace std::string_literals;

TextChoice named(const std::string& file, const std::string& field = {}) {
    return {file, Segmentation::Lines, field};
}

TEST(TextFile, EndsLinesAlikeInEveryEncoding) {
    EXPECT_EQ(textOf("a\r\nb\rc\n\r\r\nd", named("t.txt")), "a\nb\nc\n\n\nd");
    EXPECT_EQ(textOf("\xFF\xFE\x61\0\x0D\0\x0A\0\x62\0\x0D\0"s, named("t.md")), "a\nb\n");
}

TEST(TextFile, TakesAFieldOfJsonLines) {
    const std::string lines =
        "{\"text\": \"One\\r\\nline \\u00e9 \\ud83d\\ude00\", \"id\": 1, \"title\": \"T1\"}\r\n"
        "\n"
        "{\"title\": \"T2\", \"text\": \"Two\"}";
    EXPECT_EQ(textOf(lines, named("t.jsonl")), "One\nline \u00e9 \U0001f600\n\nTwo");
    EXPECT_EQ(textOf(lines, named("t.JSONL", "text")), "One\nline \u00e9 \U0001f600\n\nTwo");
    EXPECT_EQ(textOf("\xEF\xBB\xBF" + lines, named("t.jsonl", "title")), "T1\n\nT2");
    EXPECT_EQ(textOf(lines, named("t.txt")).find("{\"text\""), 0u) << "other files are read as they stand";
    EXPECT_EQ(textOf("", named("t.jsonl")), "");
}

TEST(TextFile, NamesTheLineThatHasNoText) {
    const auto expectRefused = [](const std::string& lines, const std::string& message) {
        EXPECT_THAT([&] { textOf(lines, named("t.jsonl", "body")); },
                    throwsEngineError(ErrorKind::UnreadableFile, message));
    };
    expectRefused("{\"body\": \"a\"}\n\n{\"text\": \"b\", \"n\": 1, \"title\": \"c\"}\n",
                  "t.jsonl: line 3 has no text \"body\"; choose another field (texts in this line: text, title)");
    expectRefused("{\"body\": 7}", "line 1 has no text \"body\"; choose another field (texts in this line: none)");
    expectRefused("{\"body\": \"a\"}\n{\"body\": \"b\"", "line 2 is no JSON object");
    expectRefused("[\"body\"]", "line 1 is no JSON object");
    expectRefused("{\"body\": \"\xff\"}", "not UTF-8: 0xFF at byte 10");
}

TEST(TextFile, AFieldBelongsToJsonLines) {
    EXPECT_THAT([] { textOf("a", named("t.txt", "body")); },
                throwsEngineError(ErrorKind::InvalidInput, "t.txt: the field body was chosen"));
    EXPECT_EQ(textField(named("t.txt")), "");
    EXPECT_EQ(textField(named("t.jsonl")), "text");
    EXPECT_EQ(textField(named("t.jsonl", "body")), "body");
}

TEST(TextFile, SaysThatATextIsTooLarge) {
    const TemporaryFolder folder;
    const auto file = folder.write("large.txt", "a");
    EXPECT_EQ(readTextBytes(file.string()), "a");
    std::filesystem::resize_file(file, kMostTextBytes + (std::uintmax_t{5} << 20));  // takes no room on the disk
    EXPECT_THAT([&] { readTextBytes(file.string()); },
                throwsEngineError(ErrorKind::UnreadableFile, "large.txt: has 1029 MiB; texts of up to 1024 MiB"));
}

}  // namespace
}  // namespace kvist::testing
