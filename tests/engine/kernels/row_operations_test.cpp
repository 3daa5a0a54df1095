// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/cpu/row_operations_cpu.h"
#include "engine/kernels/rms_norm.h"
#include "engine/kernels/rotary.h"
#include "engine/kernels/silu_multiply.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/sigmoid.h>

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace kvist::kernels {
namespace {

at::Tensor random(at::IntArrayRef sizes, at::ScalarType type, std::uint64_t seed) {
    return at::randn(sizes, at::make_generator<at::CPUGeneratorImpl>(seed), at::TensorOptions(at::kFloat)).to(type);
}

/// A unit in the last place of the type, relative: results may round the other way once.
double unit(at::ScalarType type) {
    return type == at::kBFloat16 ? 0x1p-7 : type == at::kHalf ? 0x1p-10 : type == at::kFloat ? 4e-7 : 1e-15;
}

void expectClose(const at::Tensor& actual, const at::Tensor& expected, double relative) {
    ASSERT_EQ(actual.sizes(), expected.sizes());
    const at::Tensor wide = expected.to(at::kDouble);
    const at::Tensor excess = actual.to(at::kDouble).sub(wide).abs().sub(wide.abs().mul(relative));
    EXPECT_LE(excess.max().item<double>(), relative * 0.1);
}

class RowOperations : public testing::TestWithParam<const CpuKernels*> {};

constexpr at::ScalarType kTypes[] = {at::kFloat, at::kBFloat16, at::kHalf};

TEST_P(RowOperations, NormAgreesWithTheReference) {
    for (const auto type : kTypes)
        for (const std::int64_t width : {1, 7, 64, 896, 899}) {
            const at::Tensor x = random({5, width}, type, 1);
            const at::Tensor weight = random({width}, type, 2);
            expectClose(rmsNormCpu(x, weight, 1e-6, *GetParam()), rmsNormReference(x, weight, 1e-6), unit(type));
        }
}

TEST_P(RowOperations, NormKeepsTheEpsilonAndRoundsBeforeTheWeight) {
    const at::Tensor zeros = at::Tensor(random({1, 8}, at::kFloat, 1)).zero_();
    EXPECT_EQ(rmsNormCpu(zeros, zeros + 1, 1e-6, *GetParam()).abs().max().item<float>(), 0.0F);
    // 1.0039 rounds to bfloat16's 1.0 before it is doubled: 2.0 rather than 2.0078.
    at::Tensor x = at::Tensor(random({1, 2}, at::kFloat, 1)).fill_(1.0).to(at::kBFloat16);
    const at::Tensor weight = (x[0] * 2.0).contiguous();
    EXPECT_EQ(rmsNormCpu(x, weight, -0.0077, *GetParam())[0][0].item<float>(), 2.0F);
}

TEST_P(RowOperations, SiluAgreesWithTheReference) {
    for (const auto type : kTypes)
        for (const std::int64_t inner : {1, 5, 64, 4864}) {
            const at::Tensor x = random({3, 2 * inner}, type, 3) * 6.0;
            expectClose(siluMultiplyCpu(x, *GetParam()), siluMultiplyReference(x), 2 * unit(type));
        }
}

TEST_P(RowOperations, SiluIsRightAtTheExtremesAndKeepsNotANumber) {
    at::Tensor x = random({1, 8}, at::kFloat, 1).fill_(1.0);
    x[0][0].fill_(-300.0);
    x[0][1].fill_(300.0);
    x[0][2].fill_(std::numeric_limits<double>::quiet_NaN());
    const at::Tensor y = siluMultiplyCpu(x, *GetParam())[0];
    EXPECT_NEAR(y[0].item<float>(), 0.0F, 1e-30F);
    EXPECT_EQ(y[1].item<float>(), 300.0F);
    EXPECT_TRUE(at::isnan(y[2]).item<bool>());
    EXPECT_NEAR(y[3].item<float>(), 0.7310586F, 1e-6F);
}

TEST_P(RowOperations, RotationAgreesWithTheReference) {
    for (const auto type : kTypes)
        for (const std::int64_t half : {1, 4, 10, 32, 64}) {
            const at::Tensor fused = random({6, 5, 2 * half}, type, 4);
            const at::Tensor angles = random({6, half}, at::kFloat, 5);
            at::Tensor actual = fused.clone().narrow(1, 1, 3);  // strided rows
            at::Tensor expected = fused.clone().narrow(1, 1, 3);
            rotateInPlaceCpu(actual, angles.cos(), angles.sin(), *GetParam());
            rotateInPlaceReference(expected, angles.cos(), angles.sin());
            expectClose(actual, expected, unit(type));
        }
}

INSTANTIATE_TEST_SUITE_P(Kernels, RowOperations,
                         testing::ValuesIn(supportedCpuKernels().begin(), supportedCpuKernels().end()),
                         [](const auto& tested) { return std::string(tested.param->name); });

TEST(RowOperationsReference, FollowTheFormulasInFloat64) {
    const at::Tensor x = random({4, 12}, at::kDouble, 6);
    const at::Tensor weight = random({12}, at::kDouble, 7);
    const at::Tensor norm = x / (x * x).mean(-1, true).add(1e-6).sqrt() * weight;
    expectClose(rmsNorm(x, weight, 1e-6), norm, unit(at::kDouble));

    const at::Tensor gate = x.narrow(1, 0, 6);
    expectClose(siluMultiply(x), gate * at::sigmoid(gate) * x.narrow(1, 6, 6), unit(at::kDouble));

    at::Tensor heads = random({4, 3, 12}, at::kDouble, 8);
    const at::Tensor angles = random({4, 6}, at::kDouble, 9);
    const at::Tensor turned = at::cat({-heads.narrow(2, 6, 6), heads.narrow(2, 0, 6)}, 2);
    const at::Tensor cos = at::cat({angles.cos(), angles.cos()}, 1).unsqueeze(1);
    const at::Tensor sin = at::cat({angles.sin(), angles.sin()}, 1).unsqueeze(1);
    const at::Tensor expected = heads * cos + turned * sin;
    rotateInPlace(heads, angles.cos(), angles.sin());
    expectClose(heads, expected, 1e-14);
}

}  // namespace
}  // namespace kvist::kernels
