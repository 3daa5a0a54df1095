// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluate/tasks/keyed_draws.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "engine/evaluate/tasks/word_lists.h"

namespace kvist {
namespace {

using Purpose = KeyedDraws::Purpose;

TEST(KeyedDraws, FollowFromTheirKeysAlone) {
    const KeyedDraws draws(7, 3);
    EXPECT_EQ(draws.share(Purpose::Depth, 5), KeyedDraws(7, 3).share(Purpose::Depth, 5));
    const std::set<double> all = {draws.share(Purpose::Depth, 5), draws.share(Purpose::Depth, 6),
                                  draws.share(Purpose::Text, 5), KeyedDraws(7, 4).share(Purpose::Depth, 5),
                                  KeyedDraws(8, 3).share(Purpose::Depth, 5)};
    EXPECT_EQ(all.size(), 5u);
}

TEST(KeyedDraws, CoverTheirRangeEvenly) {
    std::map<std::int64_t, int> counts;
    for (std::int64_t sample = 0; sample < 10000; ++sample) {
        ++counts[KeyedDraws(0, sample).below(10, Purpose::Text, 0)];
    }
    ASSERT_EQ(counts.size(), 10u);
    for (const auto& [value, count] : counts) {
        EXPECT_GE(value, 0);
        EXPECT_LT(value, 10);
        EXPECT_NEAR(count, 1000, 150) << value;  // five standard deviations
    }
}

TEST(KeyedDraws, KeysAreAnAdjectiveAndANoun) {
    const auto keys = KeyedDraws(0, 0).keys(200);
    EXPECT_EQ(std::set<std::string>(keys.begin(), keys.end()).size(), 200u);
    int twoWords = 0;
    for (const std::string& key : keys) {
        for (std::size_t dash = key.find('-'); dash != key.npos; dash = key.find('-', dash + 1)) {
            twoWords += std::count(adjectives().begin(), adjectives().end(), key.substr(0, dash)) > 0 &&
                        std::count(nouns().begin(), nouns().end(), key.substr(dash + 1)) > 0;
        }
    }
    EXPECT_EQ(twoWords, 200);
    EXPECT_EQ(adjectives().size(), 912u);
    EXPECT_EQ(nouns().size(), 6782u);
}

TEST(KeyedDraws, NumbersAndNamesDifferAndHaveTheirForm) {
    const auto numbers = KeyedDraws(1, 2).numbers(80, 2);  // of the 90 that there are
    EXPECT_EQ(std::set<std::string>(numbers.begin(), numbers.end()).size(), 80u);
    EXPECT_THAT(numbers, ::testing::Each(::testing::MatchesRegex("[1-9][0-9]")));
    EXPECT_THAT(KeyedDraws(1, 2).names(50), ::testing::Each(::testing::MatchesRegex("[A-Z][A-Z][A-Z][A-Z][A-Z]")));
    EXPECT_THAT(KeyedDraws(1, 2).numbers(5, 7), ::testing::Each(::testing::SizeIs(7)));
}

}  // namespace
}  // namespace kvist
