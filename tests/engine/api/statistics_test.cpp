// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

#include "tests/engine/support/engine_error_matcher.h"

namespace kvist {
namespace {

using testing::throwsEngineError;

/// Golden values by NumPy and SciPy (tests/data/statistics).
const nlohmann::json& golden() {
    static const nlohmann::json values = [] {
        std::ifstream file(KVIST_TEST_DATA "/statistics/statistics.json");
        return nlohmann::json::parse(file);
    }();
    return values;
}

void expectClose(double value, double expected) {
    EXPECT_NEAR(value, expected, 1e-12 * std::max(1.0, std::abs(expected)));
}

TEST(Statistics, MeanDeviationAndStandardErrorAgreeWithScipy) {
    for (const auto& sample : golden().at("samples")) {
        const auto values = sample.at("values").get<std::vector<double>>();
        expectClose(mean(values), sample.at("mean"));
        const Estimate result = estimate(std::span<const double>(values));
        EXPECT_EQ(result.count, values.size());
        expectClose(result.mean, sample.at("mean"));
        if (sample.at("deviation").is_null()) {
            EXPECT_TRUE(std::isnan(sampleDeviation(values)));
            EXPECT_TRUE(std::isnan(result.standardError));
        } else {
            // Of 21 values around 1e9 the last digits are rounding.
            EXPECT_NEAR(sampleDeviation(values), sample.at("deviation"), 1e-7);
            EXPECT_NEAR(result.standardError, sample.at("standard_error"), 1e-7);
        }
    }
}

TEST(Statistics, PercentilesAgreeWithNumpy) {
    for (const auto& sample : golden().at("samples")) {
        const auto values = sample.at("values").get<std::vector<double>>();
        expectClose(median(values), sample.at("median"));
        for (const auto& [p, expected] : sample.at("percentiles").items()) {
            SCOPED_TRACE(p);
            expectClose(percentile(values, std::stod(p)), expected);
        }
    }
}

TEST(Statistics, PairedDifferenceAgreesWithScipy) {
    for (const auto& pair : golden().at("pairs")) {
        const auto a = pair.at("a").get<std::vector<float>>();
        const auto b = pair.at("b").get<std::vector<float>>();
        const Estimate result = pairedDifference(a, b);
        expectClose(result.mean, pair.at("mean"));
        expectClose(result.standardError, pair.at("standard_error"));
        EXPECT_NEAR(result.mean / result.standardError, pair.at("t").get<double>(), 1e-9);
    }
}

TEST(Statistics, PairedDifferenceIsNotTheDifferenceOfIndependentMeans) {
    const std::vector<float> a = {1, 5, 9, 13};
    const std::vector<float> b = {0, 4, 8, 12};
    EXPECT_EQ(pairedDifference(a, b).mean, 1);
    EXPECT_EQ(pairedDifference(a, b).standardError, 0);
}

TEST(Statistics, NothingToEstimateGivesNanAndNothingToRankIsRefused) {
    EXPECT_TRUE(std::isnan(mean({})));
    EXPECT_TRUE(std::isnan(estimate(std::span<const double>()).standardError));
    EXPECT_THAT([] { percentile({}, 50); }, throwsEngineError(ErrorKind::InvalidInput, "percentile"));
    EXPECT_THAT([] { median({}); }, throwsEngineError(ErrorKind::InvalidInput, "percentile"));
}

TEST(Statistics, PairsOfUnequalLengthAreRefused) {
    const std::vector<float> a = {1, 2};
    const std::vector<float> b = {1};
    EXPECT_THAT([&] { pairedDifference(a, b); }, throwsEngineError(ErrorKind::InvalidInput, "2 and 1"));
}

TEST(Statistics, BlockStandardErrorIsThatOfTheCircularBlockBootstrap) {
    for (const auto& sample : golden().at("blocks")) {
        const auto values = sample.at("values").get<std::vector<double>>();
        const auto block = sample.at("block").get<std::size_t>();
        SCOPED_TRACE(block);
        const double error = blockStandardError(std::span<const double>(values), block);
        expectClose(error, sample.at("exact"));
        EXPECT_NEAR(error, sample.at("resampled"), 0.02 * error) << "20,000 resamples drawn by NumPy";
        if (block == 1) {
            const double n = static_cast<double>(values.size());
            EXPECT_NEAR(error, sample.at("independent").get<double>() * std::sqrt((n - 1) / n), 1e-12);
        }
    }
    const auto& correlated = golden().at("blocks").at(0);
    EXPECT_GT(correlated.at("exact").get<double>(), 2 * correlated.at("independent").get<double>())
        << "neighbours that resemble each other say less than their number promises";
}

TEST(Statistics, BlockStandardErrorOfPairsAndItsLimits) {
    const std::vector<float> a = {1, 4, 2, 8, 5, 7};
    const std::vector<float> b = {0, 1, 0, 1, 0, 1};
    const std::vector<float> difference = {1, 3, 2, 7, 5, 6};
    EXPECT_DOUBLE_EQ(blockStandardError(std::span<const float>(a), std::span<const float>(b), 2),
                     blockStandardError(std::span<const float>(difference), 2));
    EXPECT_TRUE(std::isnan(blockStandardError(std::span<const float>(a), 4)));
    EXPECT_THAT([&] { blockStandardError(std::span<const float>(a), 0); },
                throwsEngineError(ErrorKind::InvalidInput, "block 0"));
    EXPECT_EQ(bootstrapBlock(2048), 64u);
    EXPECT_EQ(bootstrapBlock(100), 12u);
    EXPECT_EQ(bootstrapBlock(1), 1u);
}

TEST(Statistics, WilsonIntervalAgreesWithScipy) {
    for (const auto& sample : golden().at("binomials")) {
        const auto successes = sample.at("successes").get<std::size_t>();
        const Interval interval = wilsonInterval(successes, sample.at("trials").get<std::size_t>());
        expectClose(interval.low, sample.at("low"));
        expectClose(interval.high, sample.at("high"));
    }
    EXPECT_TRUE(std::isnan(wilsonInterval(0, 0).low));
    EXPECT_THAT([] { wilsonInterval(3, 2); }, throwsEngineError(ErrorKind::InvalidInput, "3 successes"));
}

}  // namespace
}  // namespace kvist
