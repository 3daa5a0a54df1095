// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <complex>
#include <numbers>

#include "engine/policies/scorers/triattention_scorer.h"
#include "tests/engine/support/engine_error_matcher.h"
#include "tests/engine/support/fed_layer.h"

namespace kvist {
namespace {

using testing::FedLayer;
using Complex = std::complex<double>;

ParameterMap with(const ParameterMap& given = {}) {
    return completed(TriAttentionScorer::info().parameters, given, "triattention");
}

TEST(TriAttention, OneBandByHand) {
    // w = pi / 2, offsets 1, 2, 4, q = k = 1, a distance of 1 so far: mean of cos at 2, 3 and 5 quarter turns is -1/3.
    const double quarter = std::numbers::pi / 2;
    Complex mean = 0;
    for (const double offset : {1.0, 2.0, 4.0}) {
        mean += std::polar(1.0, quarter * (1 + offset)) / 3.0;  // the key lies at position 0, now is 1
    }
    const at::Tensor keys = at::tensor({1.0, 0.0}).view({1, 1, 2});
    const at::Tensor statistics = at::tensor({1.0, 0.0, 1.0}).view({1, 1, 3, 1});
    const at::Tensor turn = at::tensor({mean.real(), mean.imag()}).view({2, 1});
    EXPECT_NEAR(TriAttentionScorer::expectedLogits(keys, statistics, turn).item<double>(), -1.0 / 3, 1e-6);
}

TEST(TriAttention, SpreadOfTheQueriesCountsTheSizeOfTheKey) {
    // Queries 1 and i: the mean is (1 + i) / 2 with absolute value sqrt(.5), the mean absolute value 1.
    const at::Tensor keys = at::tensor({0.0, 3.0}, at::kDouble).view({1, 1, 2});
    const at::Tensor statistics = at::tensor({.5, .5, 1.0}, at::kDouble).view({1, 1, 3, 1});
    const at::Tensor nothing = at::zeros({2, 1}, at::kDouble);
    EXPECT_NEAR(TriAttentionScorer::expectedLogits(keys, statistics, nothing).item<double>(), 3 * .2928932188, 1e-9);
}

/// The score of the paper: a sum of cosines for each of the offsets.
std::vector<double> sumOfCosines(const at::Tensor& plainKeys, const at::Tensor& statistics, std::int64_t now,
                                 std::int64_t largest) {
    const std::int64_t size = plainKeys.size(1);
    std::vector<double> scores;
    for (std::int64_t p = 0; p < plainKeys.size(0); ++p) {
        double sum = 0;
        int terms = 0;
        for (std::int64_t offset = 1; offset <= largest; offset *= 2, ++terms) {
            for (std::int64_t f = 0; f < size / 2; ++f) {
                const double frequency = std::pow(10000.0, -2.0 * double(f) / double(size));
                const Complex key{plainKeys[p][f].item<double>(), plainKeys[p][f + size / 2].item<double>()};
                const Complex query{statistics[0][f].item<double>(), statistics[1][f].item<double>()};
                sum += std::abs(query) * std::abs(key) *
                       std::cos(frequency * double(now - p + offset) + std::arg(query * std::conj(key)));
            }
        }
        double spread = 0;
        for (std::int64_t f = 0; f < size / 2; ++f) {
            const double real = statistics[0][f].item<double>();
            const double imaginary = statistics[1][f].item<double>();
            const double key = std::hypot(plainKeys[p][f].item<double>(), plainKeys[p][f + size / 2].item<double>());
            spread += (statistics[2][f].item<double>() - std::hypot(real, imaginary)) * key;
        }
        scores.push_back(sum / terms + spread);
    }
    return scores;
}

class RandomLayers : public ::testing::TestWithParam<int> {};

TEST_P(RandomLayers, OneProductEqualsTheSumOfCosines) {
    at::manual_seed(GetParam());
    const std::int64_t size = 2 * (1 + GetParam() % 8);
    const std::int64_t largest = std::int64_t{1} << (2 * GetParam() % 17);
    constexpr std::int64_t kTokens = 11;
    TriAttentionScorer scorer(with({{"offset", largest}, {"normalise", false}}));
    const at::Tensor statistics = at::randn({1, 1, 3, size / 2}, at::kDouble);
    scorer.calibrate({statistics, ""});
    FedLayer layer({1, 1, size, kTokens, at::kDouble, at::kCPU}, {});
    const at::Tensor keys = at::randn({kTokens, 1, size}, at::kDouble);
    layer.feed(scorer, keys, layer.rotated(keys), keys);
    const at::Tensor own = scorer.scores(layer.view(), 0, {0, 5, kTokens});
    const auto expected = sumOfCosines(keys.squeeze(1), statistics[0][0], kTokens - 1, largest);
    for (std::int64_t i = 0; i < kTokens; ++i) {
        EXPECT_NEAR(own[0][i].item<double>(), expected[static_cast<std::size_t>(i)], 1e-10) << i;
    }
}

INSTANTIATE_TEST_SUITE_P(TriAttention, RandomLayers, ::testing::Range(1, 13));

TEST(TriAttention, TheHighestDeviationOfAGroupCounts) {
    at::manual_seed(3);
    constexpr std::int64_t kTokens = 9;
    TriAttentionScorer plain(with({{"normalise", false}}));
    TriAttentionScorer scorer(with());
    const at::Tensor statistics = at::randn({1, 4, 3, 2}, at::kDouble);
    scorer.calibrate({statistics, ""});
    FedLayer layer({1, 2, 4, kTokens, at::kDouble, at::kCPU}, {.perHead = true});
    const at::Tensor keys = at::randn({kTokens, 2, 4}, at::kDouble);
    layer.feed(scorer, at::randn({kTokens, 4, 4}, at::kDouble), layer.rotated(keys), keys);
    for (std::int64_t head = 0; head < 2; ++head) {
        at::Tensor expected = at::full({kTokens}, -1e9, at::kDouble);
        for (std::int64_t query = 0; query < 2; ++query) {
            // Both heads of the group get this head's statistics: its plain scores.
            const at::Tensor own = statistics.narrow(1, 2 * head + query, 1).expand({1, 4, 3, 2});
            plain.calibrate({own, ""});
            const at::Tensor one = plain.scores(layer.view(), static_cast<std::size_t>(head), {0, 5, kTokens})[0];
            expected = at::maximum(expected, (one - one.mean()) / one.std(false));
        }
        const at::Tensor scores = scorer.scores(layer.view(), static_cast<std::size_t>(head), {0, 5, kTokens})[0];
        EXPECT_LT((scores - expected).abs().max().item<double>(), 1e-9);
    }
}

TEST(TriAttention, RefusesToScoreWithoutStatistics) {
    TriAttentionScorer scorer(with());
    FedLayer layer({1, 1, 4, 4, at::kFloat, at::kCPU}, {});
    layer.feed(scorer, at::ones({3, 1, 4}), at::ones({3, 1, 4}), at::ones({3, 1, 4}));
    EXPECT_THAT(
        [&] {
            scorer.scores(layer.view(), 0, {0, 2, 3});
        },
        testing::throwsEngineError(ErrorKind::Internal, "calibrated"));
}

}  // namespace
}  // namespace kvist
