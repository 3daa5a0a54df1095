// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "engine/text/corpus.h"
#include "tests/engine/support/temporary_folder.h"
#include "tests/engine/text/tokenizer_goldens.h"

namespace kvist::testing {
namespace {

std::string bundledText(const std::string& name) {
    std::ifstream file(std::filesystem::path(KVIST_RESOURCES) / "texts" / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Stretches, LongTextsGiveTheReferenceIds) {
    const TemporaryFolder folder;
    for (const auto& golden : goldenCases("stretches.json")) {
        const auto size = golden["bytes"].get<std::size_t>();
        const std::string text = bundledText(golden["file"].get<std::string>()).substr(0, size);
        ASSERT_EQ(text.size(), size);
        const auto path = folder.path() / "stretch.txt";
        std::ofstream(path, std::ios::binary) << text;
        const bool isLines = golden["segments"] == "lines";
        const auto ids = readTokens({path.string(), isLines ? Segmentation::Lines : Segmentation::Whole},
                                    goldenTokenizer(golden["tokenizer"].get<std::string>()), 1'000'000);
        EXPECT_EQ(ids.size(), golden["count"].get<std::size_t>()) << golden;
        EXPECT_EQ(fnv1a(ids), golden["fnv1a"].get<std::string>()) << golden;
    }
}

TEST(Stretches, CuttingWhereTheTokenizerAllowsChangesNothing) {
    const auto& tokenizer = goldenTokenizer("qwen");
    for (const char* name : {"wiki.test.raw", "war_of_the_worlds.txt"}) {
        const std::string text = bundledText(name).substr(0, 200'000);
        Ids pieces;
        int cuts = 0;
        for (std::string_view rest = text; !rest.empty(); ++cuts) {
            const std::size_t end = tokenizer.cutAfter(rest, 1);
            const Ids ids = tokenizer.encode(rest.substr(0, end));
            pieces.insert(pieces.end(), ids.begin(), ids.end());
            rest.remove_prefix(end);
        }
        EXPECT_GE(cuts, name == std::string("wiki.test.raw") ? 1 : 100) << name;
        EXPECT_EQ(pieces, tokenizer.encode(text)) << name;
    }
}

}  // namespace
}  // namespace kvist::testing
