// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/codecs/outlier_codec.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

#include "engine/policies/stores/random_rotation.h"
#include "engine/policies/stores/turboquant_store.h"
#include "tests/engine/support/engine_error_matcher.h"

namespace kvist {
namespace {

using ::testing::ElementsAre;
using testing::throwsEngineError;

std::shared_ptr<const RotationCodec> turned(std::int64_t channels, int bits) {
    return std::make_shared<RotationCodec>(randomRotation(channels, 3, channels), bits);
}

at::Tensor codedAndBack(const EntryCodec& codec, const at::Tensor& rows) {
    std::vector<std::byte> bytes(static_cast<std::size_t>(codec.groupBytes()), std::byte{0xff});
    codec.encode({.rows = rows.const_data_ptr<float>(), .count = rows.size(0)}, bytes.data());
    at::Tensor back = at::full_like(rows, std::numeric_limits<float>::quiet_NaN());
    codec.decode(bytes.data(), rows.size(0), back.mutable_data_ptr<float>());
    return back;
}

double relativeError(const at::Tensor& back, const at::Tensor& rows) {
    return ((back - rows).square().sum(1) / rows.square().sum(1)).mean().item<double>();
}

TEST(OutlierCodec, ChannelsOfTheLargestSquaresAreOutliers) {
    const OutlierCodec codec(turned(4, 3), turned(4, 2), 16);
    const at::Tensor rows = at::tensor({1.0F, -9.0F, 0.0F, 2.0F, 2.0F, 0.0F, 5.0F, 2.0F,  //
                                        1.0F, 0.0F, 3.0F, -2.0F, 2.0F, 0.0F, 5.0F, 2.0F})
                                .view({2, 8});
    // Squares 2, 81, 9, 8, 8, 0, 50, 8: of the three eights the lowest.
    const RowGroup group{.rows = rows.const_data_ptr<float>(), .count = 2};
    EXPECT_THAT(codec.outliers(group), ElementsAre(1, 2, 3, 6));
}

TEST(OutlierCodec, EachPartIsCodedAsARowOfItsOwn) {
    at::manual_seed(2);
    const auto large = turned(16, 4);
    const auto small = turned(48, 2);
    const OutlierCodec codec(large, small, 4);
    at::Tensor rows = at::randn({4, 64});
    rows.narrow(1, 20, 16).mul_(30);
    const at::Tensor back = codedAndBack(codec, rows);
    for (std::int64_t row = 0; row < 4; ++row) {
        const at::Tensor outliers = rows[row].narrow(0, 20, 16).clone().unsqueeze(0);
        EXPECT_TRUE(at::equal(back[row].narrow(0, 20, 16), codedAndBack(*large, outliers)[0]));
        const at::Tensor others = at::cat({rows[row].narrow(0, 0, 20), rows[row].narrow(0, 36, 28)}).unsqueeze(0);
        EXPECT_TRUE(at::equal(at::cat({back[row].narrow(0, 0, 20), back[row].narrow(0, 36, 28)}),
                              codedAndBack(*small, others)[0]));
    }
}

TEST(OutlierCodec, BitsAreThoseOfItsName) {
    const CacheShape shape{
        .layers = 1, .kvHeads = 1, .headDim = 128, .capacity = 1, .type = at::kFloat, .device = at::kCPU};
    const auto bitsOf = [&](const char* bits) {
        const TurboQuantStore store(
            withOptional(TurboQuantStore::info().parameters, completed(TurboQuantStore::info().parameters,
                                                                       {{"key_bits", std::string(bits)},
                                                                        {"exempt_first", std::int64_t{0}},
                                                                        {"exempt_last", std::int64_t{0}}},
                                                                       "")),
            1);
        const auto codec = store.layer(0, shape).keys.codec;
        // Two lengths for each of 128 rows, and one mask for all.
        EXPECT_EQ(codec->scaleBytes(), codec->groupRows() == 1 ? 2 : 128 * 4 + 16) << bits;
        return static_cast<double>(8 * codec->codeBytes()) / static_cast<double>(128 * codec->groupRows());
    };
    for (const char* bits : {"2", "2.25", "2.5", "3.25", "3.5", "4"}) {
        EXPECT_EQ(bitsOf(bits), std::atof(bits));
    }
}

TEST(OutlierCodec, ABitMoreForOutliersTakesOffMoreOfTheErrorThanItsShare) {
    at::manual_seed(5);
    // A quarter of the channels holds nine tenths of the squares, as with keys that have a bias.
    at::Tensor rows = at::randn({128, 64});
    rows.narrow(1, 8, 16).mul_(std::sqrt(27.0));
    const double two = [&] {
        const auto plain = turned(64, 2);
        double sum = 0;
        for (std::int64_t row = 0; row < 128; ++row) {
            const at::Tensor one = rows.narrow(0, row, 1).contiguous();
            sum += relativeError(codedAndBack(*plain, one), one) / 128;
        }
        return sum;
    }();
    const double split = relativeError(codedAndBack(OutlierCodec(turned(16, 3), turned(48, 2), 128), rows), rows);
    EXPECT_NEAR(two, .1160, .006) << "whatever the data";
    // .9 of the squares have the error of three bits, .1 that of two; a little less in few dimensions.
    EXPECT_LT(split, .9 * .034 + .1 * .116 + .003);
    EXPECT_LT(split, two / 2) << "a quarter of a bit alone would take off less than a third";
}

TEST(OutlierCodec, GroupsThatAreNotFullAndNan) {
    at::manual_seed(6);
    const OutlierCodec codec(turned(8, 3), turned(8, 2), 32);
    const at::Tensor rows = at::randn({5, 16});
    EXPECT_LT(relativeError(codedAndBack(codec, rows), rows), 0.2);
    at::Tensor bad = rows.clone();
    bad[3][1] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_THAT([&] { codedAndBack(codec, bad); }, throwsEngineError(ErrorKind::Numerical, "cannot be coded"));
}

}  // namespace
}  // namespace kvist
