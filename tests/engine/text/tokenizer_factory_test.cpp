// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>

#include <fstream>

#include "engine/text/tokenizer.h"
#include "tests/engine/support/engine_error_matcher.h"
#include "tests/engine/support/temporary_folder.h"
#include "tests/engine/text/tokenizer_goldens.h"

namespace kvist::testing {
namespace {

namespace fs = std::filesystem;

class TokenizerFactory : public ::testing::Test {
protected:
    void add(const fs::path& source) { fs::copy_file(source, folder() / source.filename()); }
    const fs::path& folder() const { return m_folder.path(); }

private:
    TemporaryFolder m_folder;
};

TEST_F(TokenizerFactory, PrefersTheModelThenTheJsonThenTheTwoFiles) {
    add(qwenFolder() / "vocab.json");
    add(qwenFolder() / "merges.txt");
    EXPECT_EQ(openTokenizer(folder())->vocabularySize(), 151643);
    add(goldenFolder() / "small" / "tokenizer.json");
    EXPECT_EQ(openTokenizer(folder())->vocabularySize(), goldenTokenizer("small").vocabularySize());
    add(goldenFolder() / "prefix" / "tokenizer.model");
    EXPECT_EQ(openTokenizer(folder())->name(), "SentencePiece");
}

TEST_F(TokenizerFactory, SaysWhatItLookedFor) {
    EXPECT_THAT([&] { openTokenizer(folder()); },
                throwsEngineError(ErrorKind::UnreadableFile,
                                  "has no tokenizer; looked for tokenizer.model, tokenizer.json, and vocab.json with "
                                  "merges.txt"));
    EXPECT_THAT([&] { openTokenizer(folder() / "nowhere"); },
                throwsEngineError(ErrorKind::UnreadableFile, "nowhere: no such folder"));
}

TEST_F(TokenizerFactory, NamesTheMissingOneOfTwo) {
    add(qwenFolder() / "vocab.json");
    EXPECT_THAT([&] { openTokenizer(folder()); },
                throwsEngineError(ErrorKind::UnreadableFile, "merges.txt: is missing beside vocab.json"));
    fs::remove(folder() / "vocab.json");
    add(qwenFolder() / "merges.txt");
    EXPECT_THAT([&] { openTokenizer(folder()); },
                throwsEngineError(ErrorKind::UnreadableFile, "vocab.json: is missing beside merges.txt"));
}

TEST_F(TokenizerFactory, EndOfTextIsTheConfiguredOne) {
    add(goldenFolder() / "small" / "tokenizer.json");
    const auto idOf = [](const char* token) { return goldenTokenizer("small").encode(token).at(0); };
    EXPECT_EQ(openTokenizer(folder())->endOfText(), idOf("<|endoftext|>"));
    std::ofstream(folder() / "tokenizer_config.json") << R"({"eos_token": "<|im_end|>"})";
    EXPECT_EQ(openTokenizer(folder())->endOfText(), idOf("<|im_end|>"));
    std::ofstream(folder() / "tokenizer_config.json") << R"({"eos_token": {"content": "<|im_start|>"}})";
    EXPECT_EQ(openTokenizer(folder())->endOfText(), idOf("<|im_start|>"));
}

TEST_F(TokenizerFactory, AddedTokensComeFromAddedTokensJsonWithoutAConfiguration) {
    add(qwenFolder() / "vocab.json");
    add(qwenFolder() / "merges.txt");
    std::ofstream(folder() / "added_tokens.json") << R"({"<|endoftext|>": 151643, "<|im_end|>": 151645})";
    const auto tokenizer = openTokenizer(folder());
    EXPECT_EQ(tokenizer->encode("<|im_end|><|endoftext|>"), (Ids{151645, 151643}));
    EXPECT_EQ(tokenizer->vocabularySize(), 151646);
    EXPECT_EQ(tokenizer->endOfText(), 151643);
    const std::int32_t gap = 151644;
    EXPECT_THAT([&] { tokenizer->decode({&gap, 1}); }, throwsEngineError(ErrorKind::InvalidInput, "151644"));
}

}  // namespace
}  // namespace kvist::testing
