// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/codecs/rotation_codec.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "engine/cache/codecs/codebook.h"
#include "engine/policies/stores/random_rotation.h"
#include "tests/engine/support/engine_error_matcher.h"

namespace kvist {
namespace {

/// Upper halves of the codebooks times sqrt(dimensions).
struct Table {
    std::int64_t dimensions;
    int bits;
    std::vector<double> numbers;
};
const std::vector<Table> kTables = {
    // Of the normal distribution, which many dimensions come near to (Max 1960, table I).
    {100000, 1, {.7980}},
    {100000, 2, {.4528, 1.510}},
    {100000, 3, {.2451, .7560, 1.344, 2.152}},
    {100000, 4, {.1284, .3881, .6568, .9424, 1.256, 1.618, 2.069, 2.733}},
};

/// Of fewer dimensions, from an iteration that was stopped earlier: near the best numbers.
const std::vector<Table> kNearTables = {
    {128, 1, {.7997}},
    {128, 2, {.4527, 1.5052}},
    {128, 3, {.2442, .7519, 1.3344, 2.1294}},
    {128, 4, {.1265, .3819, .6468, .9289, 1.2387, 1.5949, 2.0369, 2.6812}},
    {64, 1, {.8008}},
    {64, 2, {.4522, 1.4996}},
    {64, 3, {.2432, .7486, 1.3265, 2.1086}},
    {64, 4, {.1258, .3796, .6426, .9220, 1.2284, 1.5795, 2.0124, 2.6371}},
};

void expectNear(const std::vector<Table>& tables, double tolerance) {
    for (const Table& table : tables) {
        SCOPED_TRACE(std::to_string(table.dimensions) + " dimensions, " + std::to_string(table.bits) + " bits");
        const std::vector<float>& codebook = sphereCodebook(table.dimensions, table.bits);
        ASSERT_EQ(codebook.size(), 2 * table.numbers.size());
        for (std::size_t i = 0; i < table.numbers.size(); ++i) {
            const double scale = std::sqrt(static_cast<double>(table.dimensions));
            EXPECT_NEAR(codebook[table.numbers.size() + i] * scale, table.numbers[i], tolerance);
            EXPECT_EQ(codebook[table.numbers.size() - 1 - i], -codebook[table.numbers.size() + i]);
        }
    }
}

TEST(Codebook, EqualsTheTables) {
    expectNear(kTables, 6e-4);
    expectNear(kNearTables, 1.5e-2);
    // Of one bit the number is the mean size of a coordinate, which has a closed form.
    for (const double dimensions : {5.0, 64.0, 128.0}) {
        const double mean = std::exp(std::lgamma(dimensions / 2) - std::lgamma((dimensions + 1) / 2)) / std::sqrt(M_PI);
        EXPECT_NEAR(sphereCodebook(static_cast<std::int64_t>(dimensions), 1)[1], mean, 1e-6);
    }
}

TEST(Codebook, NearestIsNearest) {
    const std::vector<float> codebook = {-2, 0, 1, 5};
    EXPECT_EQ(nearestCode(codebook, -9), 0U);
    EXPECT_EQ(nearestCode(codebook, -1), 0U) << "in the middle the lower one";
    EXPECT_EQ(nearestCode(codebook, -0.9F), 1U);
    EXPECT_EQ(nearestCode(codebook, 1), 2U);
    EXPECT_EQ(nearestCode(codebook, 3.1F), 3U);
    EXPECT_EQ(nearestCode(codebook, 9), 3U);
}

std::vector<float> codedAndBack(const EntryCodec& codec, const float* row, std::size_t width) {
    std::vector<std::byte> bytes(static_cast<std::size_t>(codec.groupBytes()), std::byte{0xff});
    codec.encode({.rows = row, .count = 1}, bytes.data());
    std::vector<float> back(width);
    codec.decode(bytes.data(), 1, back.data());
    return back;
}

TEST(RotationCodec, OneBitOfTheSpecificationsVector) {
    const RotationCodec codec(at::eye(128), 1);
    std::vector<float> row(128, 1.0F / std::sqrt(128.0F));
    for (std::size_t i = 0; i < row.size(); i += 3) {
        row[i] = -row[i];
    }
    const auto back = codedAndBack(codec, row.data(), 128);
    double squares = 0;
    double product = 0;
    for (std::size_t i = 0; i < row.size(); ++i) {
        squares += static_cast<double>(back[i]) * back[i];
        product += static_cast<double>(back[i]) * row[i];
    }
    EXPECT_NEAR(std::sqrt(squares), .7994, 1e-4 + .7994 / 2048);
    EXPECT_NEAR(product / std::sqrt(squares), 1.0, 1e-6);
}

TEST(RotationCodec, ErrorsAreThoseOfTheTable) {
    at::manual_seed(1);
    const at::Tensor rows = at::randn({2000, 128}) * at::linspace(0.1, 4, 128);
    const std::vector<double> relative = {.3609, .1160, .0340, .0093};
    for (int bits = 1; bits <= 4; ++bits) {
        const RotationCodec codec(randomRotation(128, 7, 3), bits);
        double error = 0;
        for (std::int64_t i = 0; i < rows.size(0); ++i) {
            const auto* row = rows.const_data_ptr<float>() + i * 128;
            const auto back = codedAndBack(codec, row, 128);
            double squares = 0;
            double missed = 0;
            for (std::size_t j = 0; j < 128; ++j) {
                squares += static_cast<double>(row[j]) * row[j];
                missed += std::pow(static_cast<double>(back[j]) - row[j], 2);
            }
            error += missed / squares / static_cast<double>(rows.size(0));
        }
        EXPECT_NEAR(error / relative[static_cast<std::size_t>(bits) - 1], 1.0, 0.02) << bits << " bits";
        EXPECT_EQ(codec.groupBytes(), bits * 128 / 8 + 2);
    }
}

TEST(RotationCodec, RowsOfTheBasisGiveTheSameRows) {
    at::manual_seed(2);
    const RotationCodec codec(randomRotation(20, 1, 0), 3);
    const at::Tensor row = at::randn({20});
    std::vector<std::byte> bytes(static_cast<std::size_t>(codec.groupBytes()));
    codec.encode({.rows = row.const_data_ptr<float>(), .count = 1}, bytes.data());
    at::Tensor plain = at::empty({20});
    at::Tensor turned = at::empty({20});
    codec.decode(bytes.data(), 1, plain.mutable_data_ptr<float>());
    codec.decodeTurned(bytes.data(), 1, turned.mutable_data_ptr<float>());
    EXPECT_TRUE(at::allclose(at::matmul(turned, codec.basis()), plain, 1e-5, 1e-6));
}

TEST(RotationCodec, NothingIsCodedAsNothingAndNanIsRefused) {
    const RotationCodec codec(randomRotation(16, 1, 0), 2);
    std::vector<float> row(16, 0.0F);
    EXPECT_THAT(codedAndBack(codec, row.data(), 16), ::testing::Each(0.0F));
    row[5] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_THAT([&] { codedAndBack(codec, row.data(), 16); },
                testing::throwsEngineError(ErrorKind::Numerical, "cannot be coded"));
}

TEST(RandomRotation, IsOrthogonalAndFollowsFromSeedAndLayer) {
    const at::Tensor rotation = randomRotation(64, 5, 2);
    EXPECT_LT((at::matmul(rotation, rotation.t()) - at::eye(64)).abs().max().item<float>(), 1e-6F);
    EXPECT_TRUE(at::equal(rotation, randomRotation(64, 5, 2)));
    EXPECT_FALSE(at::equal(rotation, randomRotation(64, 5, 3)));
    EXPECT_FALSE(at::equal(rotation, randomRotation(64, 6, 2)));
}

}  // namespace
}  // namespace kvist
