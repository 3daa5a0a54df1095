// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/linear.h"

#include "engine/kernels/cpu/linear_cpu.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/randn.h>

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace kvist::kernels {
namespace {

struct LinearCase {
    LinearCase(std::int64_t rows, std::int64_t in, std::int64_t out, at::ScalarType type, bool withBias) {
        const at::Generator generator = at::make_generator<at::CPUGeneratorImpl>(std::uint64_t{11});
        input = at::randn({rows, in}, generator, at::TensorOptions(at::kFloat)).to(type);
        weight = at::randn({out, in}, generator, at::TensorOptions(at::kFloat)).to(type);
        if (withBias)
            bias = at::randn({out}, generator, at::TensorOptions(at::kFloat)).mul_(5.0).to(type);
    }

    /// Deviation over the largest value, less the output's rounding.
    double deviation(const at::Tensor& actual) const {
        at::Tensor expected = at::matmul(input.to(at::kDouble), weight.to(at::kDouble).t());
        if (bias.defined())
            expected += bias.to(at::kDouble);
        const double rounding = input.scalar_type() == at::kFloat  ? 0.0
                                : input.scalar_type() == at::kHalf ? 0x1p-11
                                                                   : 0x1p-8;
        const at::Tensor excess = actual.to(at::kDouble).sub(expected).abs().sub(expected.abs().mul(rounding));
        return excess.max().item<double>() / expected.abs().max().item<double>();
    }

    at::Tensor input;
    at::Tensor weight;
    at::Tensor bias;
};

class Linear : public testing::TestWithParam<const CpuKernels*> {};

TEST_P(Linear, AgreesWithFloat64) {
    for (const auto type : {at::kFloat, at::kBFloat16, at::kHalf})
        for (const std::int64_t rows : {1, 2, 3, 4})
            for (const std::int64_t in : {1, 31, 64, 100, 896, 901})
                for (const std::int64_t out : {1, 3, 8, 129})
                    for (const bool withBias : {false, true}) {
                        const LinearCase given(rows, in, out, type, withBias);
                        ASSERT_TRUE(hasCpuLinear(given.input, {given.weight}, given.bias));
                        const at::Tensor actual = linearCpu(given.input, {given.weight}, given.bias, *GetParam());
                        EXPECT_EQ(actual.scalar_type(), type);
                        EXPECT_EQ(actual.sizes(), (at::IntArrayRef{rows, out}));
                        EXPECT_LE(given.deviation(actual), 1e-5)
                            << toString(type) << ' ' << rows << 'x' << in << 'x' << out;
                    }
}

TEST_P(Linear, GivesTheSameBitsAgain) {
    const LinearCase given(1, 896, 4000, at::kBFloat16, true);
    const at::Tensor first = linearCpu(given.input, {given.weight}, given.bias, *GetParam());
    for (int repeat = 0; repeat < 5; ++repeat)
        EXPECT_TRUE(at::equal(first, linearCpu(given.input, {given.weight}, given.bias, *GetParam())));
}

TEST_P(Linear, ReadsRowsWithStrides) {
    const LinearCase given(3, 128, 40, at::kBFloat16, false);
    const at::Tensor weight = given.weight.narrow(1, 32, 70);
    const at::Tensor input = given.input.narrow(1, 32, 70);
    const at::Tensor expected = linearCpu(input.contiguous(), {weight.contiguous()}, given.bias, *GetParam());
    EXPECT_TRUE(at::equal(linearCpu(input, {weight}, given.bias, *GetParam()), expected));
}

TEST_P(Linear, ShowsNotANumber) {
    for (const auto type : {at::kFloat, at::kBFloat16, at::kHalf}) {
        const LinearCase given(1, 100, 6, type, false);
        given.weight[4][99].fill_(std::numeric_limits<double>::quiet_NaN());
        const at::Tensor actual = linearCpu(given.input, {given.weight}, given.bias, *GetParam())[0];
        EXPECT_EQ(at::isnan(actual).sum().item<int>(), 1);
        EXPECT_TRUE(at::isnan(actual[4]).item<bool>());
    }
}

TEST_P(Linear, ReadsEightBitWeights) {
    for (const auto type : {at::kFloat, at::kBFloat16, at::kHalf})
        for (const std::int64_t rows : {1, 3, 4})
            for (const std::int64_t in : {1, 31, 64, 901})
                for (const std::int64_t out : {1, 8, 129}) {
                    LinearCase given(rows, in, out, type, true);
                    const Matrix matrix = eightBit(given.weight);
                    given.weight = dense(matrix, at::kDouble);
                    ASSERT_TRUE(hasCpuLinear(given.input, matrix, given.bias));
                    EXPECT_LE(given.deviation(linearCpu(given.input, matrix, given.bias, *GetParam())), 1e-5)
                        << toString(type) << ' ' << rows << 'x' << in << 'x' << out;
                }
}

INSTANTIATE_TEST_SUITE_P(Kernels, Linear, testing::ValuesIn(supportedCpuKernels().begin(), supportedCpuKernels().end()),
                         [](const auto& tested) { return std::string(tested.param->name); });

TEST(LinearDispatch, LeavesManyRowsAndFloat64ToLibtorch) {
    const LinearCase many(40, 64, 30, at::kBFloat16, true);
    EXPECT_FALSE(hasCpuLinear(many.input, {many.weight}, many.bias));
    EXPECT_LE(many.deviation(linear(many.input, many.weight, many.bias)), 1e-3);
    const LinearCase wide(1, 64, 30, at::kDouble, true);
    EXPECT_FALSE(hasCpuLinear(wide.input, {wide.weight}, wide.bias));
    const at::Tensor expected = at::matmul(wide.input, wide.weight.t()) + wide.bias;
    EXPECT_LE((linear(wide.input, wide.weight, wide.bias) - expected).abs().max().item<double>(), 1e-12);
}

TEST(LinearDispatch, MakesEightBitWeightsDenseForManyRows) {
    LinearCase given(40, 64, 9000, at::kFloat, true);
    const Matrix matrix = eightBit(given.weight);
    EXPECT_FALSE(hasCpuLinear(given.input, matrix, given.bias));
    given.weight = dense(matrix, at::kDouble);
    EXPECT_LE(given.deviation(linear(given.input, matrix, given.bias)), 1e-5);
}

TEST(EightBit, IsOffByHalfAScaleAtMost) {
    const LinearCase given(1, 300, 1500, at::kFloat, false);
    given.weight[3].zero_();
    const Matrix matrix = eightBit(given.weight);
    const at::Tensor off = (dense(matrix, at::kDouble) - given.weight.to(at::kDouble)).abs();
    EXPECT_TRUE((off <= matrix.scales.to(at::kDouble).unsqueeze(1) * 0.50001).all().item<bool>());
    EXPECT_EQ(matrix.values[3].abs().max().item<int>(), 0);
    EXPECT_EQ(matrix.values[4].abs().max().item<int>(), 127);
    EXPECT_EQ(matrix.bytes(), 1500 * 300 + 1500 * 4);
}

}  // namespace
}  // namespace kvist::kernels
