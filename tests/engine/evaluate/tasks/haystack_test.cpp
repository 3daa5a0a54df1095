// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluate/tasks/haystack.h"

#include <gtest/gtest.h>

#include "engine/evaluate/tasks/hidden_text.h"
#include "tests/engine/support/engine_error_matcher.h"
#include "tests/engine/support/golden_files.h"

namespace kvist {
namespace {

using testing::throwsEngineError;

using Ids = std::vector<std::int32_t>;

class HaystackTest : public ::testing::Test {
protected:
    std::string textOf(const Ids& ids) const { return m_tokenizer->decode(ids); }
    Ids ids(const std::string& text) const { return m_tokenizer->encode(text); }

    const std::unique_ptr<Tokenizer> m_tokenizer = openTokenizer(testing::demoModel());
};

TEST_F(HaystackTest, CutsBeginWithASentenceAndGoOnFromTheBeginning) {
    const Ids all = ids("One man came. Two men went. Three stayed.");
    const Haystack haystack(all, *m_tokenizer);
    const auto size = static_cast<std::int64_t>(all.size());
    EXPECT_EQ(haystack.cut(0, size), all);
    for (std::int64_t from = 1; from < size; ++from) {
        const Ids part = haystack.cut(from, 3 * size);
        const std::int64_t start = std::find(all.begin(), all.end(), part.front()) - all.begin();
        EXPECT_TRUE(start == 0 || haystack.endsSentence(all[static_cast<std::size_t>(start - 1)])) << from;
        for (std::int64_t i = 0; i < 3 * size; ++i) {
            ASSERT_EQ(part[static_cast<std::size_t>(i)], all[static_cast<std::size_t>((start + i) % size)]);
        }
    }
}

TEST_F(HaystackTest, ATextWithoutSentencesIsCutAnywhere) {
    const Ids all = ids("no full stop anywhere in this");
    EXPECT_EQ(Haystack(all, *m_tokenizer).cut(2, 5).size(), 5u);
}

TEST_F(HaystackTest, NoTextIsRefused) {
    EXPECT_THAT([&] { Haystack({}, *m_tokenizer); }, throwsEngineError(ErrorKind::InvalidInput, "empty"));
}

TEST_F(HaystackTest, PiecesStandAtTheLastEndOfASentenceBeforeTheirDepth) {
    const std::string sentence = "The sun was high.";
    Ids text;
    for (int i = 0; i < 10; ++i) {
        const Ids more = ids(sentence);
        text.insert(text.end(), more.begin(), more.end());
    }
    const Haystack haystack(text, *m_tokenizer);
    const auto each = text.size() / 10;
    const Ids needle = ids(" Needle.");
    const Ids pin = ids(" A pin.");
    const HiddenText hidden = hidePieces(haystack, text, {{pin, 1.0}, {needle, 0.55}, {needle, 0.0}, {pin, 0.5}});
    ASSERT_EQ(hidden.places.size(), 4u);
    // In the text: needle, five sentences, needle and pin in their order, five sentences, pin.
    const auto n = static_cast<std::int64_t>(needle.size());
    const auto p = static_cast<std::int64_t>(pin.size());
    const auto half = static_cast<std::int64_t>(5 * each);
    EXPECT_EQ(hidden.places[2], (TokenSpan{0, n}));
    EXPECT_EQ(hidden.places[1], (TokenSpan{n + half, n + half + n}));
    EXPECT_EQ(hidden.places[3], (TokenSpan{n + half + n, n + half + n + p}));
    EXPECT_EQ(hidden.places[0].end, static_cast<std::int64_t>(hidden.tokens.size()));
    EXPECT_EQ(hidden.tokens.size(), text.size() + 2 * needle.size() + 2 * pin.size());
    Ids rest = hidden.tokens;
    for (const std::size_t index : {0u, 3u, 1u, 2u}) {  // from the end to the beginning
        const TokenSpan& place = hidden.places[index];
        rest.erase(rest.begin() + place.first, rest.begin() + place.end);
    }
    EXPECT_EQ(rest, text);
}

}  // namespace
}  // namespace kvist
