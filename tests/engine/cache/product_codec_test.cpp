// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/codecs/product_codec.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "engine/cache/attend_entries.h"
#include "engine/policies/stores/random_rotation.h"
#include "engine/policies/stores/turboquant_store.h"
#include "tests/engine/support/engine_error_matcher.h"

namespace kvist {
namespace {

constexpr std::int64_t kSize = 64;

std::shared_ptr<const RotationCodec> coarse(std::int64_t size, int bits, std::uint64_t seed) {
    return std::make_shared<RotationCodec>(randomRotation(size, seed, 0), bits);
}

at::Tensor codedAndBack(const EntryCodec& codec, const at::Tensor& row) {
    std::vector<std::byte> bytes(static_cast<std::size_t>(codec.groupBytes()), std::byte{0xff});
    codec.encode({.rows = row.const_data_ptr<float>(), .count = 1}, bytes.data());
    at::Tensor back = at::empty_like(row);
    codec.decode(bytes.data(), 1, back.mutable_data_ptr<float>());
    return back;
}

TEST(ProductCodec, AddsSignsOfWhatTheCoarseCodeLeaves) {
    const auto plain = std::make_shared<RotationCodec>(at::eye(8), 1);
    const at::Tensor row = at::tensor({3.0F, -1.0F, 0.5F, 0.25F, -2.0F, 1.0F, 0.0F, -0.5F});
    const at::Tensor rough = codedAndBack(*plain, row);
    const at::Tensor left = row - rough;
    // With the identity as projection the signs are those of what is left itself.
    const at::Tensor expected = rough + left.norm() * std::sqrt(M_PI / 2) / 8 * left.sign();
    EXPECT_TRUE(at::allclose(codedAndBack(ProductCodec(plain, at::eye(8)), row), expected, 1e-3, 1e-3));
}

/// Mean and standard error of the estimated product less the true one over random matrices.
std::pair<double, double> errorOfProducts(const at::Tensor& row, const at::Tensor& query, int bits, bool isProduct) {
    constexpr std::int64_t kDraws = 400;
    at::Tensor errors = at::empty({kDraws}, at::kDouble);
    for (std::int64_t seed = 0; seed < kDraws; ++seed) {
        const auto number = static_cast<std::uint64_t>(seed);
        const at::Tensor back =
            isProduct ? codedAndBack(ProductCodec(coarse(kSize, bits - 1, number), randomNormal(kSize, number, 0)), row)
                      : codedAndBack(*coarse(kSize, bits, number), row);
        errors[seed] = (back - row).to(at::kDouble).dot(query.to(at::kDouble));
    }
    return {errors.mean().item<double>(), errors.std().item<double>() / std::sqrt(double(kDraws))};
}

TEST(ProductCodec, ProductsHaveNoBias) {
    at::manual_seed(8);
    const at::Tensor row = at::randn({kSize}) * at::linspace(0.2, 3, kSize);
    const at::Tensor query = row + at::randn({kSize});
    for (const int bits : {2, 3, 4}) {
        const auto [mean, error] = errorOfProducts(row, query, bits, true);
        EXPECT_LT(std::abs(mean), 3 * error) << bits << " bits";
    }
    // The other form makes rows shorter: by its mean square error, .1160 of the row's square at two bits.
    const auto [mean, error] = errorOfProducts(row, query, 2, false);
    EXPECT_LT(mean, -10 * error);
    EXPECT_NEAR(mean / row.square().sum().item<double>(), -.116, .03);
}

TEST(ProductCodec, TakesOneLengthMoreThanItsBits) {
    const ProductCodec codec(coarse(kSize, 2, 1), randomNormal(kSize, 1, 0));
    EXPECT_EQ(codec.codeBytes() * 8, 3 * kSize);
    EXPECT_EQ(codec.scaleBytes(), 4);
}

TEST(ProductCodec, TurnedRowsTimesTheBasisAreTheRows) {
    at::manual_seed(9);
    const ProductCodec codec(coarse(kSize, 3, 1), randomNormal(kSize, 1, 0));
    const at::Tensor row = at::randn({kSize});
    std::vector<std::byte> bytes(static_cast<std::size_t>(codec.groupBytes()));
    codec.encode({.rows = row.const_data_ptr<float>(), .count = 1}, bytes.data());
    at::Tensor turned = at::empty({codec.turnedWidth()});
    codec.decodeTurned(bytes.data(), 1, turned.mutable_data_ptr<float>());
    EXPECT_TRUE(at::allclose(at::matmul(turned, codec.basis()), codedAndBack(codec, row), 1e-5, 1e-5));
}

TEST(ProductCodec, NothingIsCodedAsNothing) {
    const ProductCodec codec(coarse(kSize, 1, 1), randomNormal(kSize, 1, 0));
    EXPECT_EQ(codedAndBack(codec, at::zeros({kSize})).abs().max().item<float>(), 0.0F);
}

TEST(ProductCodec, AttentionIsThatOfTheDecodedRowsAndAnExactTail) {
    at::manual_seed(10);
    const LayerStore store{
        .keys = {std::make_shared<ProductCodec>(coarse(kSize, 2, 1), randomNormal(kSize, 1, 0)), 7, 1},
        .values = {coarse(kSize, 3, 1), 3, 1}};
    LayerCache cache({1, 2, kSize, 100, at::kFloat, at::kCPU}, 0, false, store);
    const at::Tensor keys = at::randn({50, 2, kSize});
    const at::Tensor values = at::randn({50, 2, kSize});
    cache.append(keys.narrow(0, 0, 40), values.narrow(0, 0, 40), 0);
    cache.settle();
    const std::vector<std::int64_t> held(cache.held().begin(), cache.held().end());
    cache.append(keys.narrow(0, 40, 10), values.narrow(0, 40, 10), 40);
    EXPECT_TRUE(at::allclose(cache.orderedKeys(0).narrow(1, 33, 17), keys.narrow(0, 33, 17).transpose(0, 1)));
    const at::Tensor queries = at::randn({10, 6, kSize});
    const auto own = attendEntries(cache, queries, held, true);
    const auto expected = kernels::attentionReference({.queries = queries,
                                                       .keys = cache.orderedKeys(0),
                                                       .values = cache.orderedValues(0),
                                                       .held = held,
                                                       .scale = 1.0 / std::sqrt(double(kSize)),
                                                       .wantsMass = true});
    EXPECT_TRUE(at::allclose(own.context, expected.context, 1e-4, 1e-4));
    EXPECT_TRUE(at::allclose(own.mass, expected.mass, 1e-4, 1e-4));
}

TEST(ProductCodec, TheFormGoesWithTwoToFourBits) {
    const auto& specs = TurboQuantStore::info().parameters;
    const auto store = [&](const char* bits) {
        const ParameterMap given = {{"key_bits", std::string(bits)}, {"key_form", std::string("product")}};
        return TurboQuantStore(withOptional(specs, completed(specs, given, "")), 1);
    };
    for (const char* bits : {"2", "3", "4"}) {
        EXPECT_NO_THROW(store(bits));
    }
    for (const char* bits : {"1", "2.5", "16"}) {
        EXPECT_THAT([&] { store(bits); }, testing::throwsEngineError(ErrorKind::InvalidInput, "key_form"));
    }
    EXPECT_EQ(completed(specs, {{"key_form", std::string("mean-square")}}, ""), completed(specs, {}, ""))
        << "runs of the other form keep their key";
}

}  // namespace
}  // namespace kvist
