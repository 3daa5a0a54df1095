// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/attention_cuda.h"
#include "engine/kernels/cuda_module.h"
#include "engine/runtime/torch_cuda.h"
#include "tests/engine/kernels/attention_case.h"

#include <ATen/Context.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/ones.h>

#include <gtest/gtest.h>

namespace kvist::kernels::test {
namespace {

class CudaAttention : public testing::Test {
protected:
    void SetUp() override {
        if (!loadTorchCuda() || !at::hasCUDA())
            GTEST_SKIP() << "no NVIDIA driver or no CUDA part of libtorch: run this on a machine with a GPU";
        ASSERT_NE(CudaModule::instance(), nullptr) << "build with KVIST_CUDA=ON";
    }

    static AttentionCall onGpu(AttentionCall call) {
        call.queries = call.queries.cuda();
        call.keys = call.keys.cuda();
        call.values = call.values.cuda();
        return call;
    }
};

TEST_F(CudaAttention, AgreesWithFloat64OnEveryShape) {
    for (const auto stored : {at::kFloat, at::kBFloat16, at::kHalf})
        for (const std::int64_t group : {1, 2, 7, 8, 12})
            for (const std::int64_t headDim : {8, 64, 80, 128})
                for (const std::vector<std::int64_t>& held :
                     {std::vector<std::int64_t>{0}, {0, 1}, {63, 64, 130}, {5000, 3}}) {
                    const AttentionShape shape{1, held, group, headDim};
                    SCOPED_TRACE(describe(shape));
                    const AttentionCase given(shape, at::kFloat, stored);
                    const AttentionCall call = onGpu(given.call(true));
                    ASSERT_TRUE(hasCudaDecodeAttention(call));
                    const AttentionResult expected = given.expected();
                    const AttentionResult actual = decodeAttentionCuda(call, *CudaModule::instance());
                    EXPECT_LE(deviation(actual.context.cpu(), expected.context), 1e-5);
                    EXPECT_LE(deviation(actual.mass.cpu(), expected.mass), 1e-5);

                    const AttentionCall narrow = onGpu(AttentionCase(shape, stored, stored).call());
                    const at::Tensor rounded = decodeAttentionCuda(narrow, *CudaModule::instance()).context;
                    EXPECT_EQ(rounded.scalar_type(), stored);
                    EXPECT_LE(deviation(rounded.cpu(), expected.context), stored == at::kFloat ? 1e-5 : 4e-3);
                }
}

TEST_F(CudaAttention, AddsToScoresInPlace) {
    for (const std::int64_t held : {0, 63, 700, 5000}) {
        const AttentionCase given({1, {held, held}, 7, 64}, at::kFloat, at::kBFloat16);
        AttentionCall call = onGpu(given.call());
        call.scores = at::ones({held + 5}, call.queries.options());
        ASSERT_TRUE(hasCudaDecodeAttention(call));
        const AttentionResult result = decodeAttentionCuda(call, *CudaModule::instance());
        EXPECT_FALSE(result.mass.defined());
        EXPECT_LE(deviation(result.context.cpu(), given.expected().context), 1e-5);
        const at::Tensor expected = given.expected().mass.sum(0).div(14);
        const at::Tensor scores = call.scores.cpu().sub(1);
        EXPECT_LE(deviation(scores.narrow(0, 0, held + 1), expected), 1e-4) << "1 + p has fewer digits than p";
        EXPECT_EQ(scores.narrow(0, held + 1, 4).abs().max().item<float>(), 0);
    }
    AttentionCall ragged = onGpu(AttentionCase({1, {3, 5}, 7, 64}, at::kFloat, at::kFloat).call());
    ragged.scores = at::ones({6}, ragged.queries.options());
    EXPECT_FALSE(hasCudaDecodeAttention(ragged)) << "one score stands for all heads";
}

TEST_F(CudaAttention, GivesTheSameBitsAgain) {
    const AttentionCall call = onGpu(AttentionCase({1, {30000, 1234}, 7, 64}, at::kBFloat16, at::kBFloat16).call(true));
    const AttentionResult first = attention(call);
    for (int repeat = 0; repeat < 5; ++repeat) {
        const AttentionResult again = attention(call);
        EXPECT_TRUE(at::equal(first.context, again.context));
        EXPECT_TRUE(at::equal(first.mass, again.mass));
    }
}

TEST_F(CudaAttention, LeavesChunksToLibtorch) {
    const AttentionCase given({9, {100, 0}, 7, 64}, at::kBFloat16, at::kBFloat16);
    const AttentionCall call = onGpu(given.call(true));
    EXPECT_FALSE(hasCudaDecodeAttention(call));
    EXPECT_LE(deviation(attention(call).context.cpu(), given.expected().context), 4e-3);
}

TEST(CudaModule, IsNotAskedForOnACpu) {
    EXPECT_FALSE(hasCudaDecodeAttention(AttentionCase({}, at::kFloat, at::kFloat).call()));
}

}  // namespace
}  // namespace kvist::kernels::test
