// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/codecs/narrow_codec.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "tests/engine/support/engine_error_matcher.h"
#include "tests/engine/support/golden_files.h"

namespace kvist {
namespace {

using ::testing::ElementsAre;

TEST(NarrowCodec, KeepsTheChannelsThatKvpressKeeps) {
    const auto golden = nlohmann::json::parse(testing::readBytes(testing::dataFolder() / "stores" / "think.json"));
    const auto keys = golden.at("keys").get<std::vector<float>>();        // [2, 24, 16]
    const auto queries = golden.at("queries").get<std::vector<float>>();  // [6, 6, 16], heads first
    for (const auto& [ratio, kept] : golden.at("kept").items()) {
        for (std::size_t head = 0; head < 2; ++head) {
            const auto expected = kept[head].get<std::vector<std::uint16_t>>();
            const NarrowCodec codec(16, 24, static_cast<std::int64_t>(expected.size()), at::kFloat);
            const RowGroup group{.rows = keys.data() + head * 24 * 16,
                                 .count = 24,
                                 .queries = queries.data() + head * 3 * 6 * 16,
                                 .queryCount = 3 * 6};
            EXPECT_EQ(codec.channels(group), expected) << ratio;
            EXPECT_EQ(static_cast<std::int64_t>(expected.size()),
                      16 - static_cast<std::int64_t>(16 * std::stod(ratio)));
        }
    }
}

TEST(NarrowCodec, KeptChannelsComeBackAndTheOthersAreZero) {
    const NarrowCodec codec(4, 3, 2, at::kHalf);
    const std::vector<float> rows = {1, 9, 2, 0.5F, 1, 8, -3, 0.5F};
    std::vector<std::byte> bytes(static_cast<std::size_t>(codec.groupBytes()), std::byte{0xff});
    codec.encode({.rows = rows.data(), .count = 2}, bytes.data());
    std::vector<float> back(8, -1.0F);
    codec.decode(bytes.data(), 2, back.data());
    EXPECT_THAT(back, ElementsAre(0, 9, 2, 0, 0, 8, -3, 0));
    const std::vector<float> queries = {10, 0, 1, 0};
    codec.encode({.rows = rows.data(), .count = 2, .queries = queries.data(), .queryCount = 1}, bytes.data());
    codec.decode(bytes.data(), 2, back.data());
    EXPECT_THAT(back, ElementsAre(1, 0, 2, 0, 1, 0, -3, 0)) << "queries ask for the first and third channel";
    EXPECT_EQ(codec.codeBytes(), 3 * 2 * 2);
    EXPECT_EQ(codec.scaleBytes(), 2 * 2);
}

TEST(NarrowCodec, OfEqualChannelsTheLowerStay) {
    const std::vector<float> rows(6, 1.0F);
    EXPECT_THAT(NarrowCodec(6, 1, 3, at::kFloat).channels({.rows = rows.data(), .count = 1}), ElementsAre(0, 1, 2));
}

TEST(NarrowCodec, NanIsRefused) {
    const std::vector<float> rows = {1, std::numeric_limits<float>::quiet_NaN()};
    const NarrowCodec codec(2, 1, 1, at::kFloat);
    EXPECT_THAT([&] { codec.channels({.rows = rows.data(), .count = 1}); },
                testing::throwsEngineError(ErrorKind::Numerical, "NaN"));
}

}  // namespace
}  // namespace kvist
