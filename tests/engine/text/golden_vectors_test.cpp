// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include "tests/engine/text/tokenizer_goldens.h"

namespace kvist::testing {
namespace {

class GoldenVectors : public ::testing::TestWithParam<const char*> {};

TEST_P(GoldenVectors, EncodesAsTheReferenceDoes) {
    const std::string key = GetParam();
    for (const auto& golden : goldenCases("vectors.json")) {
        const auto bytes = bytesOfHex(golden["bytes"].get<std::string>());
        EXPECT_EQ(goldenTokenizer(key).encode(bytes), golden[key].get<Ids>()) << golden["name"];
    }
}

INSTANTIATE_TEST_SUITE_P(Tokenizers, GoldenVectors, ::testing::Values("qwen", "small", "demo", "prefix"),
                         [](const auto& instance) { return std::string(instance.param); });

TEST(GoldenDecoding, QwenGivesTheReferenceText) {
    for (const auto& golden : goldenCases("vectors.json")) {
        EXPECT_EQ(goldenTokenizer("qwen").decode(golden["qwen"].get<Ids>()), golden["qwen_decoded"].get<std::string>())
            << golden["name"];
        EXPECT_EQ(goldenTokenizer("small").decode(golden["small"].get<Ids>()),
                  golden["qwen_decoded"].get<std::string>())
            << golden["name"];
    }
}

TEST(GoldenDecoding, DemoModelGivesTheTextBack) {
    for (const auto& golden : goldenCases("vectors.json")) {
        if (golden["name"] == "SentencePiece's space symbol") {
            continue;  // a text that holds the symbol cannot be told from one with spaces
        }
        EXPECT_EQ(goldenTokenizer("demo").decode(golden["demo"].get<Ids>()), golden["text"].get<std::string>())
            << golden["name"];
    }
}

TEST(GoldenDecoding, ModelWithPrefixSpaceGivesTheReferenceText) {
    for (const auto& golden : goldenCases("vectors.json")) {
        EXPECT_EQ(goldenTokenizer("prefix").decode(golden["prefix"].get<Ids>()),
                  golden["prefix_decoded"].get<std::string>())
            << golden["name"];
    }
}

TEST(GoldenDecoding, IdsOneByOneGiveTheSameBytes) {
    for (const auto& golden : goldenCases("vectors.json")) {
        for (const std::string key : {"qwen", "demo"}) {
            const auto& tokenizer = goldenTokenizer(key);
            const auto ids = golden[key].get<Ids>();
            std::string bytes;
            for (const std::int32_t id : ids) {
                bytes += tokenizer.decode({&id, 1});
            }
            EXPECT_EQ(bytes, tokenizer.decode(ids)) << golden["name"] << ", " << key;
        }
    }
}

}  // namespace
}  // namespace kvist::testing
