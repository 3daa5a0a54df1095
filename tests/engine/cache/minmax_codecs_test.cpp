// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "engine/cache/codecs/channel_codec.h"
#include "engine/cache/codecs/token_codec.h"
#include "tests/engine/support/engine_error_matcher.h"
#include "tests/engine/support/golden_files.h"

namespace kvist {
namespace {

using ::testing::ElementsAre;
using testing::throwsEngineError;

/// Rows [count, head_dim] as they come back.
std::vector<float> codedAndBack(const EntryCodec& codec, const std::vector<float>& rows, std::int64_t count) {
    std::vector<std::byte> bytes(static_cast<std::size_t>(codec.groupBytes()), std::byte{0xff});
    codec.encode({.rows = rows.data(), .count = count}, bytes.data());
    std::vector<float> back(rows.size(), std::numeric_limits<float>::quiet_NaN());
    codec.decode(bytes.data(), count, back.data());
    return back;
}

TEST(MinMaxCodecs, HalvesRoundToEvenAsInTheSpecification) {
    const ChannelCodec channel(1, 4, 2);
    EXPECT_THAT(codedAndBack(channel, {0, 0.5, 1, 3}, 4), ElementsAre(0, 0, 1, 3));
    EXPECT_THAT(codedAndBack(channel, {0, 1, 2, 3}, 4), ElementsAre(0, 1, 2, 3));
    const TokenCodec token(4, 4, 2);
    EXPECT_THAT(codedAndBack(token, {0, 0.5, 1, 3}, 1), ElementsAre(0, 0, 1, 3));
    EXPECT_THAT(codedAndBack(token, {0, 1.5, 2.5, 3}, 1), ElementsAre(0, 2, 2, 3));
}

TEST(MinMaxCodecs, CodesLieInPlanes) {
    std::vector<std::byte> bytes(8);
    TokenCodec(4, 4, 4).encode({.rows = std::vector<float>{0, 15, 3, 8}.data(), .count = 1}, bytes.data());
    EXPECT_EQ(bytes[0], std::byte{0x30}) << "the first half in the low bits, the second above";
    EXPECT_EQ(bytes[1], std::byte{0x8f});
}

TEST(MinMaxCodecs, BitsPerNumberAreThoseOfThePaper) {
    for (const int bits : {2, 4, 8}) {
        const ChannelCodec keys(64, 32, bits);
        EXPECT_EQ(keys.groupBytes() * 8, 64 * 32 * (bits + 1)) << "bits + 32 / 32";
        EXPECT_EQ(keys.codeBytes() * 8, 64 * 32 * bits);
        const TokenCodec values(64, 32, bits);
        EXPECT_EQ(values.groupBytes() * 8, 64 * (bits + 1));
        EXPECT_EQ(values.codeBytes() * 8, 64 * bits);
    }
}

TEST(MinMaxCodecs, EqualTheAuthorsCode) {
    const auto golden = nlohmann::json::parse(testing::readBytes(testing::dataFolder() / "stores" / "kivi.json"));
    const auto group = golden.at("group").get<std::int64_t>();
    for (const int bits : {2, 4, 8}) {
        SCOPED_TRACE(bits);
        const auto& own = golden.at(std::to_string(bits));
        const auto keys = own.at("keys").get<std::vector<float>>();  // [64, 8]
        const std::size_t half = keys.size() / 2;
        for (std::size_t first = 0; first < keys.size(); first += half) {
            const std::vector<float> rows(keys.begin() + static_cast<std::ptrdiff_t>(first),
                                          keys.begin() + static_cast<std::ptrdiff_t>(first + half));
            const auto back = codedAndBack(ChannelCodec(8, group, bits), rows, group);
            const auto expected = own.at("keys_back").get<std::vector<float>>();
            EXPECT_TRUE(std::equal(back.begin(), back.end(), expected.begin() + static_cast<std::ptrdiff_t>(first)));
        }
        const auto values = own.at("values").get<std::vector<float>>();  // [6, 64]
        const auto expected = own.at("values_back").get<std::vector<float>>();
        for (std::ptrdiff_t first = 0; first < static_cast<std::ptrdiff_t>(values.size()); first += 64) {
            const std::vector<float> row(values.begin() + first, values.begin() + first + 64);
            const auto back = codedAndBack(TokenCodec(64, group, bits), row, 1);
            EXPECT_TRUE(std::equal(back.begin(), back.end(), expected.begin() + first));
        }
    }
}

/// Half a step, and what rounding scale and minimum to float16 adds: 2^-11 of the minimum and of all steps.
double bound(double least, double most, int bits) {
    const double steps = (1 << bits) - 1;
    const double step = (most - least) / steps;
    return step / 2 + (std::abs(least) + step * steps) / 2048 + 1e-6;
}

TEST(MinMaxCodecs, NoNumberIsOffByMoreThanHalfAStep) {
    at::manual_seed(3);
    for (const int bits : {2, 4, 8}) {
        for (const std::int64_t rows : {1, 5, 32}) {
            const at::Tensor random = at::randn({rows, 20}) * 3 + at::arange(20) * 5;
            const std::vector<float> flat(random.data_ptr<float>(), random.data_ptr<float>() + random.numel());
            const auto keys = codedAndBack(ChannelCodec(20, 32, bits), flat, rows);
            const auto values = codedAndBack(TokenCodec(20, 8, bits), {flat.begin(), flat.begin() + 20}, 1);
            for (std::int64_t i = 0; i < random.numel(); ++i) {
                const at::Tensor channel = random.select(1, i % 20);
                EXPECT_NEAR(keys[static_cast<std::size_t>(i)], flat[static_cast<std::size_t>(i)],
                            bound(channel.min().item<double>(), channel.max().item<double>(), bits));
            }
            for (std::int64_t i = 0; i < 20; ++i) {
                const at::Tensor group = random[0].slice(0, i / 8 * 8, std::min<std::int64_t>(20, i / 8 * 8 + 8));
                EXPECT_NEAR(values[static_cast<std::size_t>(i)], flat[static_cast<std::size_t>(i)],
                            bound(group.min().item<double>(), group.max().item<double>(), bits));
            }
        }
    }
}

TEST(MinMaxCodecs, WhatScalesCannotExpressIsRefused) {
    const ChannelCodec codec(1, 4, 4);
    for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), 1e6F}) {
        EXPECT_THAT(
            [&] {
                codedAndBack(codec, {1, 2, bad, 3}, 4);
            },
            throwsEngineError(ErrorKind::Numerical, "cannot be coded"));
    }
    EXPECT_THAT(codedAndBack(codec, {7, 7, 7, 7}, 4), ElementsAre(7, 7, 7, 7));
}

}  // namespace
}  // namespace kvist
