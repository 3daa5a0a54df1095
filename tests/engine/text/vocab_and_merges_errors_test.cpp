// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>

#include <fstream>
#include <iterator>

#include "engine/text/tokenizer.h"
#include "tests/engine/support/engine_error_matcher.h"
#include "tests/engine/support/temporary_folder.h"
#include "tests/engine/text/tokenizer_goldens.h"

namespace kvist::testing {
namespace {

using nlohmann::json;

/// A folder with the small tokenizer as vocab.json and merges.txt, to be damaged.
class VocabAndMerges : public ::testing::Test {
protected:
    VocabAndMerges() {
        std::ifstream file(goldenFolder() / "small" / "tokenizer.json");
        const json tokenizer = json::parse(file);
        m_vocabulary = tokenizer["model"]["vocab"];
        for (const json& merge : tokenizer["model"]["merges"]) {
            m_merges += merge[0].get<std::string>() + " " + merge[1].get<std::string>() + "\n";
        }
        write("vocab.json", m_vocabulary.dump());
        write("merges.txt", m_merges);
        write("tokenizer_config.json", json{{"added_tokens_decoder", addedTokens(tokenizer)}}.dump());
    }

    void write(const char* name, const std::string& content) {
        std::ofstream(m_folder.path() / name, std::ios::binary) << content;
    }

    void expectError(const std::string& message) {
        EXPECT_THAT([&] { openTokenizer(m_folder.path()); }, throwsEngineError(ErrorKind::UnreadableFile, message));
    }

    std::unique_ptr<Tokenizer> open() const { return openTokenizer(m_folder.path()); }

    json m_vocabulary;
    std::string m_merges;

private:
    static json addedTokens(const json& tokenizer) {
        json decoder = json::object();
        for (const json& token : tokenizer["added_tokens"]) {
            decoder[std::to_string(token["id"].get<int>())] = token;
        }
        return decoder;
    }

    TemporaryFolder m_folder;
};

TEST_F(VocabAndMerges, ReadAsTheSameTokenizerWithAndWithoutAVersionLine) {
    for (const std::string head : {"", "#version: 0.2\n"}) {
        write("merges.txt", head + m_merges);
        for (const auto& golden : goldenCases("vectors.json")) {
            const auto text = golden["text"].get<std::string>();
            EXPECT_EQ(open()->encode(text), golden["small"].get<Ids>()) << golden["name"];
        }
    }
}

TEST_F(VocabAndMerges, WindowsLineEndsDoNoHarm) {
    std::string merges;
    for (const char byte : m_merges) {
        merges += byte == '\n' ? std::string("\r\n") : std::string(1, byte);
    }
    write("merges.txt", merges);
    EXPECT_EQ(open()->encode("the other"), goldenTokenizer("small").encode("the other"));
}

TEST_F(VocabAndMerges, TruncatedVocabularyIsNamedWithThePlace) {
    const std::string whole = m_vocabulary.dump();
    write("vocab.json", whole.substr(0, whole.size() / 2));
    expectError("vocab.json: is not valid JSON at byte");
    write("vocab.json", "");
    expectError("vocab.json: is not valid JSON");
    write("vocab.json", "[1, 2]");
    expectError("vocab.json: must hold a JSON object, not array");
    write("vocab.json", "{\"\xff\": 1}");
    expectError("vocab.json: is not valid JSON");
}

TEST_F(VocabAndMerges, EntriesThatAreNotIntegersAreNamed) {
    for (const json& wrong : {json("7"), json(7.5), json(nullptr), json::array()}) {
        json vocabulary = m_vocabulary;
        vocabulary["in"] = wrong;
        write("vocab.json", vocabulary.dump());
        expectError("vocab.json: the id of vocabulary entry \"in\" is not an integer but " + wrong.dump());
    }
}

TEST_F(VocabAndMerges, IdsOutOfRangeAreRefused) {
    for (const json& wrong : {json(-1), json(std::int64_t{1} << 40), json(~std::uint64_t{0})}) {
        json vocabulary = m_vocabulary;
        vocabulary["in"] = wrong;
        write("vocab.json", vocabulary.dump());
        expectError("vocab.json: id ");
        expectError("is out of range");
    }
}

TEST_F(VocabAndMerges, DuplicateIdsNameBothTokens) {
    m_vocabulary["in"] = m_vocabulary["on"];
    write("vocab.json", m_vocabulary.dump());
    expectError("is given twice, to \"in\" and \"on\"");
}

TEST_F(VocabAndMerges, AMissingByteIsNamed) {
    m_vocabulary.erase("!");
    write("vocab.json", m_vocabulary.dump());
    expectError("vocab.json: the vocabulary has no entry for byte 33");
}

TEST_F(VocabAndMerges, EntriesThatAreNotByteLevelAreNamed) {
    m_vocabulary["\u6f22"] = 4000;
    write("vocab.json", m_vocabulary.dump());
    expectError("vocab.json: vocabulary entry \"\u6f22\" is not in byte-level form");
}

TEST_F(VocabAndMerges, MergesWithMissingPartsAreNamed) {
    write("merges.txt", "i n\nQ zzz\n");
    expectError("merges.txt: merge 2 needs \"zzz\", which is not in the vocabulary");
    write("merges.txt", "i n\nQ Z\n");
    expectError("merges.txt: merge 2 needs \"QZ\", which is not in the vocabulary");
}

TEST_F(VocabAndMerges, DamagedMergesAreNamedByLine) {
    for (const char* line : {"alone", " x", "x ", "a b c"}) {
        write("merges.txt", std::string("i n\n") + line);
        expectError("merges.txt: line 2 is not two parts with a space between");
    }
    write("merges.txt", "#version: 0.2\n");
    expectError("merges.txt: holds no merges");
}

TEST_F(VocabAndMerges, AnotherTokenizerClassIsNamed) {
    write("tokenizer_config.json", R"({"tokenizer_class": "GPT2Tokenizer"})");
    expectError("tokenizer_config.json: names a \"GPT2Tokenizer\"");
}

TEST_F(VocabAndMerges, DamagedAddedTokensAreNamed) {
    write("tokenizer_config.json", R"({"added_tokens_decoder": {"x1": {"content": "<a>"}}})");
    expectError("tokenizer_config.json: \"x1\" in added_tokens_decoder is not an id");
    write("tokenizer_config.json", R"({"added_tokens_decoder": {"5000": {"special": true}}})");
    expectError("tokenizer_config.json: added token 5000 has no content");
    write("tokenizer_config.json", R"({"added_tokens_decoder": {"5000": {"content": "<a>", "lstrip": true}}})");
    expectError("tokenizer_config.json: added token 5000 sets \"lstrip\"");
    write("tokenizer_config.json", R"({"added_tokens_decoder": [)");
    expectError("tokenizer_config.json: is not valid JSON");
    write("tokenizer_config.json", R"({"added_tokens_decoder": {"3": {"content": "<a>"}}})");
    expectError("id 3 is given twice");
    write("tokenizer_config.json", "{}");
    write("added_tokens.json", R"({"<a>": "5000"})");
    expectError("added_tokens.json: the id of \"<a>\" is not an integer");
}

}  // namespace
}  // namespace kvist::testing
