// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/byte_level_bpe.h"

#include <gmock/gmock.h>

#include <thread>

#include "tests/engine/support/engine_error_matcher.h"
#include "tests/engine/text/tokenizer_goldens.h"

namespace kvist::testing {
namespace {

TEST(ByteLevelBpe, DescribesItself) {
    const auto& tokenizer = goldenTokenizer("qwen");
    EXPECT_EQ(tokenizer.name(), "byte-level BPE");
    EXPECT_EQ(tokenizer.vocabularySize(), 151665);  // 151643 entries and 22 added tokens
    EXPECT_EQ(tokenizer.endOfText(), 151643);
}

TEST(ByteLevelBpe, EverySingleByteComesBack) {
    const auto& tokenizer = goldenTokenizer("qwen");
    std::string seen;
    for (std::int32_t id = 0; id < 256; ++id) {
        seen += tokenizer.decode({&id, 1});
    }
    std::sort(seen.begin(), seen.end(), [](unsigned char left, unsigned char right) { return left < right; });
    ASSERT_EQ(seen.size(), 256U);
    for (int byte = 0; byte < 256; ++byte) {
        EXPECT_EQ(static_cast<unsigned char>(seen[static_cast<std::size_t>(byte)]), byte);
    }
}

TEST(ByteLevelBpe, UnknownIdsAreRefused) {
    const auto& tokenizer = goldenTokenizer("qwen");
    for (const std::int32_t id : {-1, 151665, 2'000'000'000}) {
        EXPECT_THAT(
            [&] {
                tokenizer.decode({&id, 1});
            },
            throwsEngineError(ErrorKind::InvalidInput, std::to_string(id) + " is not in the vocabulary"));
    }
}

TEST(ByteLevelBpe, LongRunsWithoutAPieceEndAreNoTrap) {
    const auto& tokenizer = goldenTokenizer("qwen");
    for (const std::string unit : {" ", "a", "abcdefghij", "\n", " \n", "=-", "\u6f22\u5b57"}) {
        std::string text;
        while (text.size() < 500'000) {
            text += unit;
        }
        EXPECT_EQ(tokenizer.decode(tokenizer.encode(text)), text) << "run of \"" << unit << '"';
    }
}

TEST(ByteLevelBpe, ThreadsMayShareIt) {
    const auto& tokenizer = goldenTokenizer("small");
    const std::string text = "Several threads, one tokenizer: \u00e9\u0301 1234 <|im_end|>\n";
    const Ids expected = tokenizer.encode(text);
    std::vector<int> agreed(4, 0);
    {
        std::vector<std::jthread> threads;
        threads.reserve(agreed.size());
        for (int& count : agreed) {
            threads.emplace_back([&] {
                for (int round = 0; round < 200; ++round) {
                    count += tokenizer.encode(text) == expected ? 1 : 0;
                }
            });
        }
    }
    EXPECT_THAT(agreed, ::testing::Each(200));
}

TEST(ByteLevelBpe, CutsOnlyBetweenALineFeedAndALetter) {
    const auto& tokenizer = goldenTokenizer("qwen");
    EXPECT_EQ(tokenizer.cutAfter("ab\ncd\nef", 0), 3U);
    EXPECT_EQ(tokenizer.cutAfter("ab\ncd\nef", 3), 3U);
    EXPECT_EQ(tokenizer.cutAfter("ab\ncd\nef", 4), 6U);
    EXPECT_EQ(tokenizer.cutAfter("ab\n cd\n1\n\n\u00e9", 0), 12U);
    EXPECT_EQ(tokenizer.cutAfter("", 0), 0U);
}

TEST(ByteLevelBpe, DoesNotCutWhereAnAddedTokenHoldsALineFeed) {
    auto files = readTokenizerJson(goldenFolder() / "small");
    files.addedTokens.push_back({"x\ny", 5000, false});
    const ByteLevelBpe tokenizer(std::move(files));
    EXPECT_EQ(tokenizer.cutAfter("ax\nyb", 0), 5U);
    EXPECT_THAT(tokenizer.encode("ax\nyb"), ::testing::Contains(5000));
}

TEST(ByteLevelBpe, TokensThatAskForItAreFoundAfterNormalisation) {
    const std::string composed = "\u00e9t";
    const std::string decomposed = "e\u0301t";
    for (const bool isNormalized : {false, true}) {
        auto files = readTokenizerJson(goldenFolder() / "small");
        files.addedTokens.push_back({composed, 5000, isNormalized});
        const ByteLevelBpe tokenizer(std::move(files));
        EXPECT_EQ(tokenizer.encode(composed), Ids{5000});
        EXPECT_EQ(tokenizer.encode(decomposed) == Ids{5000}, isNormalized);
    }
}

}  // namespace
}  // namespace kvist::testing
