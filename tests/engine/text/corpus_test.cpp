// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/corpus.h"

#include <gmock/gmock.h>

#include <fstream>

#include "tests/engine/support/engine_error_matcher.h"
#include "tests/engine/support/temporary_folder.h"
#include "tests/engine/text/byte_tokenizer.h"
#include "tests/engine/text/tokenizer_goldens.h"

namespace kvist::testing {
namespace {

constexpr std::int64_t kAll = 1'000'000;

class Corpus : public ::testing::Test {
protected:
    std::string write(const std::string& bytes) {
        const auto path = m_folder.path() / "text.txt";
        std::ofstream(path, std::ios::binary) << bytes;
        return path.string();
    }

private:
    TemporaryFolder m_folder;
};

TEST_F(Corpus, ReadsLinesAndWholeTextsAsPythonDoes) {
    for (const auto& golden : goldenCases("corpora.json")) {
        const std::string file = write(bytesOfHex(golden["bytes"].get<std::string>()));
        for (const std::string key : {"qwen", "demo"}) {
            const auto& tokenizer = goldenTokenizer(key);
            EXPECT_EQ(readTokens({file, Segmentation::Lines}, tokenizer, kAll), golden[key]["lines"].get<Ids>())
                << golden["name"] << ", " << key;
            EXPECT_EQ(readTokens({file, Segmentation::Whole}, tokenizer, kAll), golden[key]["whole"].get<Ids>())
                << golden["name"] << ", " << key;
        }
    }
}

TEST_F(Corpus, GivesTheFirstTokensOnly) {
    const std::string file = write("One line.\n\nAnother line, longer.\nA third.\n");
    for (const auto segments : {Segmentation::Lines, Segmentation::Whole}) {
        const auto all = readTokens({file, segments}, goldenTokenizer("demo"), kAll);
        ASSERT_GT(all.size(), 7U);
        EXPECT_EQ(readTokens({file, segments}, goldenTokenizer("demo"), 7), Ids(all.begin(), all.begin() + 7));
        EXPECT_TRUE(readTokens({file, segments}, goldenTokenizer("demo"), 0).empty());
    }
}

TEST_F(Corpus, StopsReadingLinesOnceThereAreEnough) {
    std::string text;
    for (int line = 0; line < 1000; ++line) {
        text += "0123456789\n";
    }
    const ByteTokenizer tokenizer;
    EXPECT_EQ(readTokens({write(text), Segmentation::Lines}, tokenizer, 100).size(), 100U);
    EXPECT_LT(tokenizer.bytes, 120U);
}

TEST_F(Corpus, TokenisesAWholeTextInOnePieceWhereNoCutIsKnownToBeSafe) {
    const std::string text(std::size_t{1} << 20, 'x');
    const ByteTokenizer tokenizer;
    EXPECT_EQ(readTokens({write(text), Segmentation::Whole}, tokenizer, 5).size(), 5U);
    EXPECT_EQ(tokenizer.bytes, text.size());
}

TEST_F(Corpus, StopRequestCancels) {
    std::stop_source source;
    source.request_stop();
    const std::string file = write("text\n");
    EXPECT_THAT(
        [&] {
            readTokens({file, Segmentation::Lines}, goldenTokenizer("demo"), 5, source.get_token());
        },
        throwsEngineError(ErrorKind::Cancelled, "stopped"));
}

TEST_F(Corpus, NamesAMissingFile) {
    EXPECT_THAT(
        [&] {
            readTokens({"no/such/text.txt", Segmentation::Lines}, goldenTokenizer("demo"), 5);
        },
        throwsEngineError(ErrorKind::UnreadableFile, "no/such/text.txt: cannot be opened"));
}

TEST_F(Corpus, NamesAFolderGivenForAFile) {
    const TemporaryFolder folder;
    EXPECT_THAT(
        [&] {
            readTokens({folder.path().string(), Segmentation::Lines}, goldenTokenizer("demo"), 5);
        },
        throwsEngineError(ErrorKind::UnreadableFile, "is a folder"));
}

}  // namespace
}  // namespace kvist::testing
