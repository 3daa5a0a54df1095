// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/lowest_scores.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

#include "tests/engine/support/engine_error_matcher.h"

namespace kvist {
namespace {

using testing::throwsEngineError;

TEST(LowestScores, AgreeWithSortingEverything) {
    std::mt19937 random(3);
    for (int trial = 0; trial < 200; ++trial) {
        // Few different values, so that ties abound.
        std::vector<float> scores(std::uniform_int_distribution<std::size_t>(1, 50)(random));
        for (float& score : scores) {
            score = static_cast<float>(std::uniform_int_distribution<int>(0, 5)(random));
        }
        std::vector<std::int32_t> order(scores.size());
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
            return scores[static_cast<std::size_t>(a)] > scores[static_cast<std::size_t>(b)];
        });  // of equal scores the lower index comes first and stays
        for (std::size_t count = 1; count <= scores.size(); ++count) {
            std::vector<std::int32_t> expected(order.end() - static_cast<std::ptrdiff_t>(count), order.end());
            std::sort(expected.begin(), expected.end());
            for (std::int32_t& entry : expected) {
                entry += 7;
            }
            ASSERT_EQ(lowestScores(scores, static_cast<std::int64_t>(count), 7), expected);
        }
    }
}

TEST(LowestScores, NanIsRefused) {
    const std::vector<float> scores = {1, std::numeric_limits<float>::quiet_NaN(), 2};
    EXPECT_THAT([&] { lowestScores(scores, 1, 0); }, throwsEngineError(ErrorKind::Numerical, "NaN"));
    EXPECT_THAT([&] { lowestScores(scores, 2, 0); }, throwsEngineError(ErrorKind::Numerical, "NaN"));
}

}  // namespace
}  // namespace kvist
