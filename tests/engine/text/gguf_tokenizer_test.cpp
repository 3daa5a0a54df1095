// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <fstream>

#include "tests/engine/support/engine_error_matcher.h"
#include "tests/engine/support/gguf_builder.h"
#include "tests/engine/support/golden_files.h"
#include "tests/engine/support/temporary_folder.h"
#include "tests/engine/text/tokenizer_goldens.h"

namespace kvist::testing {
namespace {

enum Type : std::int32_t { Normal = 1, Control = 3, UserDefined = 4, Unused = 5 };

/// Qwen2.5's tokenizer as GGUF files have it: all tokens by id, filled up to the 151936 rows of the embedding.
struct Listing {
    std::vector<std::string> tokens = std::vector<std::string>(151936);
    std::vector<std::int32_t> types = std::vector<std::int32_t>(151936, Unused);
    std::vector<std::string> merges;

    Listing() {
        for (std::size_t id = 0; id < tokens.size(); ++id) {
            tokens[id] = "[PAD" + std::to_string(id) + "]";
        }
        const auto vocabulary = nlohmann::json::parse(readBytes(qwenFolder() / "vocab.json"));
        for (const auto& [symbols, id] : vocabulary.items()) {
            tokens[id.get<std::size_t>()] = symbols;
            types[id.get<std::size_t>()] = Normal;
        }
        const auto config = nlohmann::json::parse(readBytes(qwenFolder() / "tokenizer_config.json"));
        for (const auto& [id, token] : config["added_tokens_decoder"].items()) {
            tokens[std::stoul(id)] = token["content"];
            types[std::stoul(id)] = token["special"].get<bool>() ? Control : UserDefined;
        }
        std::ifstream file(qwenFolder() / "merges.txt");
        for (std::string line; std::getline(file, line);) {
            if (!line.empty() && !line.starts_with("#version")) {
                merges.push_back(line);
            }
        }
    }

    GgufBuilder builder(const std::string& splitter = "qwen2", const std::string& model = "gpt2") const {
        GgufBuilder builder;
        builder.text("general.architecture", "qwen2")
            .text("tokenizer.ggml.model", model)
            .text("tokenizer.ggml.pre", splitter)
            .texts("tokenizer.ggml.tokens", tokens)
            .numbers("tokenizer.ggml.token_type", types)
            .texts("tokenizer.ggml.merges", merges);
        return builder;
    }
};

class GgufTokenizer : public ::testing::Test {
protected:
    std::unique_ptr<Tokenizer> open(const GgufBuilder& builder) {
        return openTokenizer(m_folder.write("model.gguf", builder.bytes()));
    }
    void expectRefused(const GgufBuilder& builder, const std::string& message) {
        EXPECT_THAT([&] { open(builder); }, throwsEngineError(ErrorKind::UnreadableFile, "model.gguf"));
        EXPECT_THAT([&] { open(builder); }, throwsEngineError(ErrorKind::UnreadableFile, message));
    }

    TemporaryFolder m_folder;
};

TEST_F(GgufTokenizer, GivesTheIdsOfTheFolder) {
    const auto tokenizer = open(Listing().builder().number("tokenizer.ggml.eos_token_id", 151645));
    const Tokenizer& folder = goldenTokenizer("qwen");
    EXPECT_EQ(tokenizer->vocabularySize(), folder.vocabularySize());
    EXPECT_EQ(tokenizer->endOfText(), 151645);
    for (const auto& golden : goldenCases("vectors.json")) {
        const auto bytes = bytesOfHex(golden["bytes"].get<std::string>());
        EXPECT_EQ(tokenizer->encode(bytes), golden["qwen"].get<Ids>()) << golden["name"];
        EXPECT_EQ(tokenizer->decode(golden["qwen"].get<Ids>()), golden["qwen_decoded"].get<std::string>());
    }
    const std::string text = readBytes(sampleText("wiki.test.raw"));
    EXPECT_GT(text.size(), 1000000u);
    EXPECT_EQ(tokenizer->encode(text), folder.encode(text));
}

TEST_F(GgufTokenizer, OtherKindsAreRefusedByName) {
    Listing small;
    small.tokens.resize(300);
    small.types.resize(300);
    small.merges.resize(1);
    expectRefused(small.builder("llama-bpe"), "llama-bpe");
    expectRefused(small.builder("qwen2", "llama"), "llama");
    expectRefused(GgufBuilder(), "tokenizer.ggml.model");
}

TEST_F(GgufTokenizer, ContradictionsAreNamed) {
    Listing listing;
    listing.tokens.resize(300);
    listing.types.resize(300);
    listing.merges.resize(1);
    EXPECT_NO_THROW(open(listing.builder()));

    Listing wrong = listing;
    wrong.types.pop_back();
    expectRefused(wrong.builder(), "token_type");
    wrong = listing;
    wrong.types[299] = 6;
    expectRefused(wrong.builder(), "token 299");
    wrong = listing;
    wrong.types[3] = Unused;  // one of the 256 bytes
    expectRefused(wrong.builder(), "no entry for byte");
    wrong = listing;
    wrong.tokens[299] = "";
    wrong.types[299] = Control;
    expectRefused(wrong.builder(), "token 299");
    wrong = listing;
    wrong.merges = {"onepart"};
    expectRefused(wrong.builder(), "merge 1");
    wrong = listing;
    wrong.merges = {"zzzz yyyy"};
    expectRefused(wrong.builder(), "merge 1");
    expectRefused(listing.builder().number("tokenizer.ggml.eos_token_id", 300), "eos_token_id");
    GgufBuilder builder;
    builder.text("tokenizer.ggml.model", "gpt2").text("tokenizer.ggml.pre", "qwen2");
    expectRefused(builder, "tokenizer.ggml.tokens");
}

}  // namespace
}  // namespace kvist::testing
