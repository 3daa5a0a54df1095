// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/sentencepiece_tokenizer.h"

#include <gmock/gmock.h>

#include <fstream>
#include <iterator>

#include "tests/engine/support/engine_error_matcher.h"
#include "tests/engine/support/temporary_folder.h"
#include "tests/engine/text/tokenizer_goldens.h"

namespace kvist::testing {
namespace {

TEST(SentencePieceTokenizer, DescribesItself) {
    const auto& tokenizer = goldenTokenizer("demo");
    EXPECT_EQ(tokenizer.name(), "SentencePiece");
    EXPECT_EQ(tokenizer.vocabularySize(), 4096);
    EXPECT_EQ(tokenizer.endOfText(), 2);
}

TEST(SentencePieceTokenizer, LeadingSpacesAndNewlinesComeBack) {
    const auto& tokenizer = goldenTokenizer("demo");
    for (const std::string text : {" a", "  a", "\n", "\n\n a\n", " ", "\t\n "}) {
        EXPECT_EQ(tokenizer.decode(tokenizer.encode(text)), text);
    }
}

TEST(SentencePieceTokenizer, OneSpaceIsDroppedWhereEncodingAddsOne) {
    const auto& tokenizer = goldenTokenizer("prefix");
    for (const std::string text : {"a", " a", "  a", "\u6f22 a"}) {
        EXPECT_EQ(tokenizer.decode(tokenizer.encode(text)), text);
    }
}

TEST(SentencePieceTokenizer, UnknownIdsAreRefused) {
    for (const std::int32_t id : {-1, 4096}) {
        EXPECT_THAT(
            [&] {
                goldenTokenizer("demo").decode({&id, 1});
            },
            throwsEngineError(ErrorKind::InvalidInput, std::to_string(id) + " is not in the vocabulary"));
    }
}

TEST(SentencePieceTokenizer, TruncatedModelsAreRefusedByName) {
    std::ifstream file(goldenFolder() / "prefix" / "tokenizer.model", std::ios::binary);
    const std::string whole{std::istreambuf_iterator<char>(file), {}};
    const TemporaryFolder folder;
    const auto path = folder.path() / "tokenizer.model";
    for (const std::size_t size :
         {std::size_t{0}, std::size_t{1}, std::size_t{100}, whole.size() / 2, whole.size() - 1}) {
        std::ofstream(path, std::ios::binary) << whole.substr(0, size);
        EXPECT_THAT([&] { SentencePieceTokenizer{path}; },
                    throwsEngineError(ErrorKind::UnreadableFile, "tokenizer.model: is not a SentencePiece model"))
            << size << " bytes";
    }
}

}  // namespace
}  // namespace kvist::testing
