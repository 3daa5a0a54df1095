// SPDX-License-Identifier: GPL-3.0-or-later
// What the GPU kernels share with the host: how work is split and how partial results become one.
#include "engine/kernels/cuda/combine.h"
#include "tests/engine/kernels/attention_case.h"

#include <ATen/ops/matmul.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace kvist::kernels::cuda {
namespace {

TEST(SoftmaxState, AddsUpToSoftmaxWhateverTheOrder) {
    for (const std::vector<float>& logits :
         {std::vector<float>{0.5F}, {-3.0F, 2.0F, 1.0F}, {9000.0F, -9000.0F, 8999.0F}, {-1e4F, -1e4F}}) {
        const float largest = *std::max_element(logits.begin(), logits.end());
        double expected = 0.0;
        for (const float logit : logits)
            expected += std::exp(static_cast<double>(logit) - largest);
        SoftmaxState forward;
        SoftmaxState backward;
        for (std::size_t i = 0; i < logits.size(); ++i) {
            forward.add(logits[i]);
            backward.add(logits[logits.size() - 1 - i]);
        }
        EXPECT_EQ(forward.maximum, largest);
        EXPECT_NEAR(forward.sum, expected, 1e-6 * expected);
        EXPECT_NEAR(backward.sum, expected, 1e-6 * expected);
    }
}

TEST(SoftmaxState, AStateWithoutLogitsChangesNothing) {
    SoftmaxState state;
    state.merge({});
    EXPECT_EQ(state.sum, 0.0F);
    state.add(2.0F);
    const SoftmaxState::Step step = state.merge({});
    EXPECT_EQ(step.factor, 1.0F);
    EXPECT_EQ(step.weight, 0.0F);
    EXPECT_EQ(state.maximum, 2.0F);
    EXPECT_EQ(state.sum, 1.0F);
}

TEST(SoftmaxState, KeepsNotANumber) {
    SoftmaxState state;
    state.add(1.0F);
    state.add(std::numeric_limits<float>::quiet_NaN());
    state.add(3.0F);
    EXPECT_TRUE(std::isnan(state.sum));
}

TEST(DecodePlan, SplitsCoverEachSlotOnce) {
    for (const std::int64_t length : {0, 1, 63, 64, 1000, 120000})
        for (const int splits : {1, 3, 64}) {
            std::int64_t next = 0;
            for (int split = 0; split < splits; ++split) {
                const SlotRange range = splitRange(length, splits, split);
                EXPECT_EQ(range.begin, next);
                EXPECT_GE(range.end, range.begin);
                next = range.end;
            }
            EXPECT_EQ(next, length);
        }
}

TEST(DecodePlan, TakesAsManySplitsAsPay) {
    EXPECT_EQ(splitsOf(1, 2, 1, 132), 1);
    EXPECT_EQ(splitsOf(512, 2, 1, 132), 8);
    EXPECT_EQ(splitsOf(100000, 2, 1, 132), kMaxSplits);
    EXPECT_EQ(splitsOf(100000, 32, 1, 16), 1);
}

TEST(DecodePlan, LanesReadAWholeRow) {
    EXPECT_EQ(lanesOf(64, 8), 8);
    EXPECT_EQ(lanesOf(64, 4), 16);
    EXPECT_EQ(lanesOf(80, 8), 16);
    EXPECT_EQ(lanesOf(128, 4), 32);
    EXPECT_EQ(lanesOf(8, 8), 1);
}

/// The steps of the kernels, one split after the other, with the functions that the kernels call.
struct HostDecode {
    HostDecode(const AttentionCall& call, int splits) {
        const auto kvHeads = static_cast<int>(call.keys.size(0));
        const int headDim = static_cast<int>(call.queries.size(2));
        const int group = static_cast<int>(call.queries.size(1)) / kvHeads;
        const std::int64_t longest = *std::max_element(call.held.begin(), call.held.end()) + 1;
        std::vector<float> partials(static_cast<std::size_t>(partialOffset(kvHeads * group, 0, splits, headDim)));
        std::vector<float> logits(static_cast<std::size_t>(kvHeads * group * longest));
        mass.resize(static_cast<std::size_t>(kvHeads * longest));
        for (int head = 0; head < kvHeads * group; ++head) {
            const int kvHead = head / group;
            const std::int64_t length = call.held[static_cast<std::size_t>(kvHead)] + 1;
            const at::Tensor keys = call.keys[kvHead].narrow(0, 0, length);
            const at::Tensor values = call.values[kvHead].narrow(0, 0, length).contiguous();
            const at::Tensor own = at::matmul(keys, call.queries[0][head]).mul_(call.scale);
            for (int split = 0; split < splits; ++split) {
                float* partial = partials.data() + partialOffset(head, split, splits, headDim);
                SoftmaxState state;
                const SlotRange range = splitRange(length, splits, split);
                for (std::int64_t slot = range.begin; slot < range.end; ++slot) {
                    const float logit = own.const_data_ptr<float>()[slot];
                    logits[static_cast<std::size_t>(head * longest + slot)] = logit;
                    const SoftmaxState::Step step = state.add(logit);
                    for (int c = 0; c < headDim; ++c)
                        partial[c] =
                            partial[c] * step.factor + values.const_data_ptr<float>()[slot * headDim + c] * step.weight;
                }
                partial[headDim] = state.maximum;
                partial[headDim + 1] = state.sum;
            }
            const float* ownPartials = partials.data() + partialOffset(head, 0, splits, headDim);
            const SoftmaxState state = combineStates(ownPartials, splits, headDim);
            states.push_back(state);
            for (int c = 0; c < headDim; ++c)
                context.push_back(combineComponent(ownPartials, splits, headDim, c, state) / state.sum);
        }
        for (std::int64_t slot = 0; slot < longest; ++slot)  // means something where all heads hold the same
            scores.push_back(massOfSlot(logits.data(), longest, slot, kvHeads * group, states.data()) /
                             static_cast<float>(kvHeads * group));
        for (int kvHead = 0; kvHead < kvHeads; ++kvHead)
            for (std::int64_t slot = 0; slot <= call.held[static_cast<std::size_t>(kvHead)]; ++slot)
                mass[static_cast<std::size_t>(kvHead * longest + slot)] = massOfSlot(
                    logits.data() + kvHead * group * longest, longest, slot, group, states.data() + kvHead * group);
    }

    std::vector<SoftmaxState> states;
    std::vector<float> context;
    std::vector<float> mass;
    std::vector<float> scores;
};

TEST(DecodeOnHost, AgreesWithFloat64ForAnyNumberOfSplits) {
    const test::AttentionShape shape{1, {700, 0, 63}, 7, 80};
    const test::AttentionCase given(shape, at::kFloat, at::kFloat, 2.0);
    const AttentionResult expected = given.expected();
    for (const int splits : {1, 2, 7, 64}) {  // with 64, the head of one entry has empty splits
        SCOPED_TRACE(splits);
        const HostDecode actual(given.call(), splits);
        const double* context = expected.context.const_data_ptr<double>();
        for (std::size_t i = 0; i < actual.context.size(); ++i)
            ASSERT_NEAR(actual.context[i], context[i], 1e-5) << i;
        const double* mass = expected.mass.const_data_ptr<double>();
        for (std::size_t i = 0; i < actual.mass.size(); ++i)
            ASSERT_NEAR(actual.mass[i], mass[i], 1e-5) << i;
    }
}

TEST(DecodeOnHost, ScoresAreTheMeanOverAllQueryHeads) {
    const test::AttentionCase given({1, {130, 130, 130}, 7, 64}, at::kFloat, at::kFloat, 2.0);
    const at::Tensor expected = given.expected().mass.sum(0).div(21);
    const HostDecode actual(given.call(), 3);
    ASSERT_EQ(actual.scores.size(), 131u);
    for (std::size_t i = 0; i < actual.scores.size(); ++i)
        ASSERT_NEAR(actual.scores[i], expected.const_data_ptr<double>()[i], 1e-6) << i;
}

}  // namespace
}  // namespace kvist::kernels::cuda
