// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>

#include <fstream>

#include "engine/text/tokenizer.h"
#include "tests/engine/support/engine_error_matcher.h"
#include "tests/engine/support/temporary_folder.h"
#include "tests/engine/text/tokenizer_goldens.h"

namespace kvist::testing {
namespace {

using nlohmann::json;

json readJson(const std::filesystem::path& path) {
    std::ifstream file(path);
    return json::parse(file);
}

/// A folder with a tokenizer.json to be changed.
class TokenizerJson : public ::testing::Test {
protected:
    TokenizerJson() : m_json(readJson(goldenFolder() / "small" / "tokenizer.json")) {}

    void write(const std::string& content) {
        std::ofstream(m_folder.path() / "tokenizer.json", std::ios::binary) << content;
    }

    std::unique_ptr<Tokenizer> open() {
        write(m_json.dump());
        return openTokenizer(m_folder.path());
    }

    /// Of the file with `value` at `pointer`.
    void expectError(const char* pointer, const json& value, const std::string& message) {
        const json before = m_json;
        m_json[json::json_pointer(pointer)] = value;
        EXPECT_THAT([&] { open(); }, throwsEngineError(ErrorKind::UnreadableFile, "tokenizer.json: " + message));
        m_json = before;
    }

    json m_json;
    TemporaryFolder m_folder;
};

TEST_F(TokenizerJson, MergesMayBeStringsOrPairs) {
    const std::string text = "the other 12 things <|im_end|>";
    ASSERT_TRUE(m_json["model"]["merges"][0].is_array());
    EXPECT_EQ(open()->encode(text), goldenTokenizer("small").encode(text));
    for (json& merge : m_json["model"]["merges"]) {
        merge = merge[0].get<std::string>() + " " + merge[1].get<std::string>();
    }
    EXPECT_EQ(open()->encode(text), goldenTokenizer("small").encode(text));
}

TEST_F(TokenizerJson, TheWholeOfQwenReadsAsFromItsTwoFiles) {
    m_json["model"]["vocab"] = readJson(qwenFolder() / "vocab.json");
    json merges = json::array();
    std::ifstream file(qwenFolder() / "merges.txt");
    for (std::string line; std::getline(file, line);) {
        merges.push_back(line);
    }
    m_json["model"]["merges"] = merges;
    m_json["added_tokens"] = json::array();
    const json config = readJson(qwenFolder() / "tokenizer_config.json");
    for (const auto& [id, token] : config["added_tokens_decoder"].items()) {
        json entry = token;
        entry["id"] = std::stoi(id);
        m_json["added_tokens"].push_back(entry);
    }
    const auto tokenizer = open();
    EXPECT_EQ(tokenizer->vocabularySize(), goldenTokenizer("qwen").vocabularySize());
    EXPECT_EQ(tokenizer->endOfText(), goldenTokenizer("qwen").endOfText());
    for (const auto& golden : goldenCases("vectors.json")) {
        EXPECT_EQ(tokenizer->encode(golden["text"].get<std::string>()), golden["qwen"].get<Ids>()) << golden["name"];
    }
}

TEST_F(TokenizerJson, OtherTokenizersAreRefusedWithWhatWasFound) {
    expectError("/model/type", "Unigram", "is not a Qwen2.5 tokenizer: its model type is \"Unigram\", not \"BPE\"");
    expectError("/normalizer", json{{"type", "NFKC"}},
                "is not a Qwen2.5 tokenizer: its normalizer type is \"NFKC\", not \"NFC\"");
    expectError("/normalizer", nullptr, "is not a Qwen2.5 tokenizer: its normalizer type is null, not \"NFC\"");
    expectError("/pre_tokenizer", json{{"type", "ByteLevel"}},
                "is not a Qwen2.5 tokenizer: its pre_tokenizer type is \"ByteLevel\", not \"Sequence\"");
    expectError("/pre_tokenizer/pretokenizers/0/pattern/Regex", R"(\p{N}{1,3})",
                R"(is not a Qwen2.5 tokenizer: its pre_tokenizer pattern is {"Regex":"\\p{N}{1,3}"}, not {"Regex":)");
    expectError("/pre_tokenizer/pretokenizers/0/behavior", "Removed",
                "is not a Qwen2.5 tokenizer: its pre_tokenizer behavior is \"Removed\"");
    expectError("/pre_tokenizer/pretokenizers/1/use_regex", true,
                "is not a Qwen2.5 tokenizer: its pre_tokenizer use_regex is true, not false");
    expectError("/pre_tokenizer/pretokenizers/1/add_prefix_space", true,
                "is not a Qwen2.5 tokenizer: its pre_tokenizer add_prefix_space is true, not false");
    expectError("/pre_tokenizer/pretokenizers", json::array(), "is not a Qwen2.5 tokenizer: its pre_tokenizer is []");
    expectError("/model/byte_fallback", true, "is not a Qwen2.5 tokenizer: its model byte_fallback is true, not false");
    expectError("/model/ignore_merges", true, "is not a Qwen2.5 tokenizer: its model ignore_merges is true, not false");
    expectError("/model/unk_token", "<unk>", "is not a Qwen2.5 tokenizer: its model unk_token is \"<unk>\"");
}

TEST_F(TokenizerJson, DamagedPartsAreNamed) {
    expectError("/model", nullptr, "is not a Qwen2.5 tokenizer: its model type is null");
    expectError("/model/vocab", json::array(), "the vocabulary must be an object");
    expectError("/model/vocab/in", "7", "the id of vocabulary entry \"in\" is not an integer but \"7\"");
    expectError("/model/merges", nullptr, "model merges must be a list");
    expectError("/model/merges/3", json::array({"a"}), "merge 4 is [\"a\"], not a pair of tokens");
    expectError("/model/merges/3", "alone", "merge 4 is \"alone\", not a pair of tokens");
    expectError("/model/merges/3", json::array({"Q", "zzz"}), "merge 4 needs \"zzz\"");
    expectError("/added_tokens", "x", "added_tokens must be a list");
    expectError("/added_tokens/0/id", "7", "an added token has no id");
    expectError("/added_tokens/0/content", "", "added token");
    expectError("/added_tokens/0/single_word", true, "added token");
}

TEST_F(TokenizerJson, TruncatedFilesAreNamed) {
    const std::string whole = m_json.dump();
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, whole.size() / 2, whole.size() - 1}) {
        write(whole.substr(0, size));
        EXPECT_THAT([&] { openTokenizer(m_folder.path()); },
                    throwsEngineError(ErrorKind::UnreadableFile, "tokenizer.json: is not valid JSON at byte"));
    }
}

}  // namespace
}  // namespace kvist::testing
