// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <sstream>

#include "tests/engine/text/tokenizer_goldens.h"

namespace kvist::testing {
namespace {

/// llama.cpp's texts for Qwen2, each followed by a separator.
std::vector<std::string> ggmlTexts() {
    const std::string separator = "\n__ggml_vocab_test__\n";
    std::ifstream file(goldenFolder() / "ggml-vocab-qwen2.gguf.inp", std::ios::binary);
    const std::string content{std::istreambuf_iterator<char>(file), {}};
    std::vector<std::string> texts;
    std::size_t start = 0;
    for (std::size_t end = 0; (end = content.find(separator, start)) != std::string::npos;
         start = end + separator.size()) {
        texts.push_back(content.substr(start, end - start));
    }
    return texts;
}

std::vector<Ids> ggmlIds() {
    std::ifstream file(goldenFolder() / "ggml-vocab-qwen2.gguf.out");
    std::vector<Ids> lines;
    for (std::string line; std::getline(file, line);) {
        std::istringstream numbers(line);
        lines.emplace_back(std::istream_iterator<std::int32_t>(numbers), std::istream_iterator<std::int32_t>());
    }
    return lines;
}

TEST(GgmlVectors, AllFortySixAgree) {
    const auto texts = ggmlTexts();
    const auto ids = ggmlIds();
    ASSERT_EQ(texts.size(), 46U);
    ASSERT_EQ(ids.size(), texts.size());
    for (std::size_t index = 0; index < texts.size(); ++index) {
        EXPECT_EQ(goldenTokenizer("qwen").encode(texts[index]), ids[index]) << index << ": " << texts[index];
        EXPECT_EQ(goldenTokenizer("qwen").decode(ids[index]), texts[index]) << index;
    }
}

}  // namespace
}  // namespace kvist::testing
