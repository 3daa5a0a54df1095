// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/text_reader.h"

#include <gtest/gtest.h>

#include "engine/text/corpus.h"
#include "tests/engine/support/engine_error_matcher.h"
#include "tests/engine/support/temporary_folder.h"
#include "tests/engine/text/byte_tokenizer.h"

namespace kvist::testing {
namespace {

class TextReaderTest : public ::testing::Test {
protected:
    std::vector<std::int32_t> read(const TextChoice& text, std::int64_t count) {
        auto tokens = m_reader.read(text, count);
        EXPECT_EQ(tokens, readTokens(text, ByteTokenizer(), count));
        return tokens;
    }
    TextChoice write(const std::string& name, const std::string& bytes) const {
        return {m_folder.write(name, bytes).string(), Segmentation::Whole};
    }
    std::int64_t calls() const { return m_tokenizer.calls; }

    const TemporaryFolder m_folder;
    const ByteTokenizer m_tokenizer;
    TextReader m_reader{m_tokenizer};
};

TEST_F(TextReaderTest, TokenisesATextOnce) {
    const TextChoice text = write("a.txt", "0123456789");
    EXPECT_EQ(read(text, 6).size(), 6u);
    EXPECT_EQ(read(text, 6).size(), 6u);
    EXPECT_EQ(read(text, 3).size(), 3u);
    EXPECT_EQ(calls(), 1);
    EXPECT_EQ(read(text, 20).size(), 10u) << "more than were kept";
    EXPECT_EQ(calls(), 2);
    EXPECT_EQ(read(text, 15).size(), 10u) << "known to have no more";
    EXPECT_EQ(read(write("copy.txt", "0123456789"), 8).size(), 8u) << "of the same content";
    EXPECT_EQ(calls(), 2);
}

TEST_F(TextReaderTest, KeepsApartWhatDiffers) {
    TextChoice text = write("a.jsonl", "{\"text\": \"one\", \"b\": \"other\"}");
    const auto field = read(text, 99);
    text.field = "text";
    EXPECT_EQ(read(text, 99), field);
    EXPECT_EQ(calls(), 1);
    text.field = "b";
    EXPECT_NE(read(text, 99), field);
    text.segments = Segmentation::Lines;
    read(text, 99);
    EXPECT_EQ(calls(), 3);
    read(write("a.txt", "{\"text\": \"one\", \"b\": \"other\"}"), 99);
    EXPECT_EQ(calls(), 4) << "the same bytes as a plain text";
}

TEST_F(TextReaderTest, SeesThatAFileWasChanged) {
    EXPECT_EQ(read(write("a.txt", "one"), 3), (std::vector<std::int32_t>{'o', 'n', 'e'}));
    EXPECT_EQ(read(write("a.txt", "two"), 3), (std::vector<std::int32_t>{'t', 'w', 'o'}));
}

TEST_F(TextReaderTest, KeepsTheLastTextsAlone) {
    for (int number = 0; number < 20; ++number) {
        read(write("a.txt", "text " + std::to_string(number)), 9);
    }
    EXPECT_EQ(calls(), 20);
    read(write("a.txt", "text 19"), 9);
    EXPECT_EQ(calls(), 20);
    read(write("a.txt", "text 0"), 9);
    EXPECT_EQ(calls(), 21);
}

TEST_F(TextReaderTest, AStopKeepsNothing) {
    const TextChoice text = write("a.txt", "0123456789");
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THAT([&] { m_reader.read(text, 5, stop.get_token()); }, throwsEngineError(ErrorKind::Cancelled, ""));
    EXPECT_EQ(read(text, 5).size(), 5u);
}

}  // namespace
}  // namespace kvist::testing
