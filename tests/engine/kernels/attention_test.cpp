// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/kernels/attention_case.h"

#include "engine/kernels/cpu/attention_cpu.h"

#include <ATen/Parallel.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/ones.h>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <map>

namespace kvist::kernels::test {
namespace {

using Implementation = std::function<AttentionResult(const AttentionCall&)>;

std::map<std::string, Implementation> implementations() {
    std::map<std::string, Implementation> found = {{"dispatched", attention}, {"reference", attentionReference}};
    for (const CpuKernels* kernels : supportedCpuKernels())
        found[kernels->name] = [kernels](const AttentionCall& call) { return attentionCpu(call, *kernels); };
    return found;
}

std::vector<std::string> names() {
    std::vector<std::string> result;
    for (const auto& [name, implementation] : implementations())
        result.push_back(name);
    return result;
}

class Attention : public testing::TestWithParam<std::string> {
protected:
    AttentionResult run(const AttentionCall& call) const { return implementations().at(GetParam())(call); }
};

std::vector<AttentionShape> shapes() {
    std::vector<AttentionShape> all;
    for (const std::int64_t group : {1, 2, 7, 8})
        for (const std::int64_t headDim : {8, 64, 80, 128})
            for (const std::int64_t chunk : {1, 5, 32})
                for (const std::vector<std::int64_t>& held :
                     std::vector<std::vector<std::int64_t>>{{0}, {0, 0}, {1, 63}, {64, 0, 130}, {515, 320}})
                    all.push_back({chunk, held, group, headDim});
    all.push_back({1, {5000, 3}, 7, 64});
    all.push_back({70, {900, 1}, 7, 64});    // more queries than one tile
    all.push_back({300, {0, 40}, 2, 64});    // a causal segment
    all.push_back({3, {200, 77}, 300, 16});  // one query is more rows than a tile
    all.push_back({2, {70}, 3, 20});         // no multiple of any vector
    return all;
}

TEST_P(Attention, AgreesWithFloat64OnEveryShape) {
    for (const AttentionShape& shape : shapes()) {
        SCOPED_TRACE(describe(shape));
        const AttentionCase given(shape, at::kFloat, at::kFloat);
        const AttentionResult expected = given.expected();
        const AttentionResult actual = run(given.call(true));
        ASSERT_EQ(actual.context.sizes(), expected.context.sizes());
        ASSERT_EQ(actual.mass.sizes(), expected.mass.sizes());
        EXPECT_LE(deviation(actual.context, expected.context), 1e-5);
        EXPECT_LE(deviation(actual.mass, expected.mass), 1e-5);
        EXPECT_FALSE(run(given.call(false)).mass.defined());
    }
}

TEST_P(Attention, ReadsSixteenBitEntries) {
    for (const auto type : {at::kBFloat16, at::kHalf}) {
        for (const AttentionShape& shape : {AttentionShape{1, {700, 33}, 7, 64}, AttentionShape{32, {130, 64}, 6, 128},
                                            AttentionShape{4, {0, 9}, 2, 80}, AttentionShape{33, {0}, 1, 20}}) {
            SCOPED_TRACE(describe(shape));
            // Queries in float32 leave the results unrounded.
            const AttentionCase unrounded(shape, at::kFloat, type);
            const AttentionResult expected = unrounded.expected();
            const AttentionResult actual = run(unrounded.call(true));
            EXPECT_LE(deviation(actual.context, expected.context), 1e-5);
            EXPECT_LE(deviation(actual.mass, expected.mass), 1e-5);

            const AttentionCase rounded(shape, type, type);
            const AttentionResult narrow = run(rounded.call(true));
            EXPECT_EQ(narrow.context.scalar_type(), type);
            EXPECT_EQ(narrow.mass.scalar_type(), at::kFloat);
            EXPECT_LE(deviation(narrow.context, expected.context), type == at::kHalf ? 1e-3 : 4e-3);
            EXPECT_LE(deviation(narrow.mass, expected.mass), 1e-5);
        }
    }
}

TEST_P(Attention, MassSumsToQueriesTimesGroup) {
    const AttentionCase given({9, {311, 0, 64}, 7, 64}, at::kBFloat16, at::kBFloat16);
    const at::Tensor mass = run(given.call(true)).mass;
    for (std::int64_t head = 0; head < 3; ++head)
        EXPECT_NEAR(mass[head].sum().item<double>(), 9 * 7, 1e-3);
    EXPECT_EQ(mass[1].narrow(0, 9, 311).abs().max().item<float>(), 0.0F);
}

TEST_P(Attention, LaterEntriesOfTheChunkNeverReachEarlierQueries) {
    const std::int64_t chunk = 80;
    AttentionCase given({chunk, {100, 0}, 2, 64}, at::kFloat, at::kFloat);
    const at::Tensor before = run(given.call()).context.clone();
    const std::int64_t changed = 40;
    given.keys[0][100 + changed].fill_(25.0);
    given.values[0][100 + changed].fill_(1000.0);
    given.keys[1][changed].fill_(25.0);
    given.values[1][changed].fill_(1000.0);
    const at::Tensor after = run(given.call()).context;
    EXPECT_TRUE(at::equal(before.narrow(0, 0, changed), after.narrow(0, 0, changed)));
    for (std::int64_t query = changed; query < chunk; ++query)
        EXPECT_FALSE(at::equal(before[query], after[query])) << query;
}

TEST_P(Attention, SurvivesLogitsOfTenThousand) {
    for (const auto type : {at::kBFloat16, at::kFloat}) {
        const AttentionCase given({6, {150, 0}, 7, 64}, type, type, 100.0);  // logits of about ±10^4 · 3
        const AttentionResult actual = run(given.call(true));
        EXPECT_TRUE(at::isfinite(actual.context).all().item<bool>());
        EXPECT_TRUE(at::isfinite(actual.mass).all().item<bool>());
        EXPECT_NEAR(actual.mass.sum().item<double>(), 2 * 6 * 7, 1e-3);
    }
}

TEST_P(Attention, ShowsNotANumberInAnyKey) {
    AttentionCase given({1, {200}, 2, 64}, at::kFloat, at::kFloat);
    given.keys[0][77][5].fill_(std::numeric_limits<double>::quiet_NaN());
    EXPECT_TRUE(at::isnan(run(given.call()).context).all().item<bool>());
}

TEST_P(Attention, GivesTheSameBitsAgain) {
    for (const std::int64_t chunk : {1, 40}) {
        const AttentionCase given({chunk, {3000, 1234}, 7, 64}, at::kBFloat16, at::kBFloat16);
        const AttentionResult first = run(given.call(true));
        for (int repeat = 0; repeat < 5; ++repeat) {
            const AttentionResult again = run(given.call(true));
            EXPECT_TRUE(at::equal(first.context, again.context));
            EXPECT_TRUE(at::equal(first.mass, again.mass));
        }
    }
}

TEST_P(Attention, DoesNotDependOnTheNumberOfThreads) {
    const int threads = at::get_num_threads();
    const AttentionCase given({3, {2000, 100, 0}, 7, 64}, at::kFloat, at::kFloat);
    const AttentionResult expected = given.expected();
    for (const int count : {1, 2, 3, 7}) {
        at::set_num_threads(count);
        const AttentionResult actual = run(given.call(true));
        EXPECT_LE(deviation(actual.context, expected.context), 1e-5) << count;
        EXPECT_LE(deviation(actual.mass, expected.mass), 1e-5) << count;
    }
    at::set_num_threads(threads);
}

INSTANTIATE_TEST_SUITE_P(Kernels, Attention, testing::ValuesIn(names()),
                         [](const auto& tested) { return tested.param; });

TEST(AttentionDispatch, ComputesFloat64InFloat64) {
    const AttentionCase given({5, {130, 0}, 7, 64}, at::kDouble, at::kDouble);
    const AttentionResult expected = given.expected();
    const AttentionResult actual = attention(given.call(true));
    EXPECT_EQ(actual.mass.scalar_type(), at::kDouble);
    EXPECT_LE(deviation(actual.context, expected.context), 1e-14);
    EXPECT_LE(deviation(actual.mass, expected.mass), 1e-14);
}

TEST(AttentionDispatch, AddsTheMeanProbabilityToScores) {
    for (const std::int64_t chunk : {1, 5}) {
        const AttentionCase given({chunk, {130, 130}, 7, 64}, at::kFloat, at::kFloat);
        AttentionCall call = given.call();
        call.scores = at::ones({140});
        const AttentionResult result = attention(call);
        EXPECT_FALSE(result.mass.defined()) << "was not asked for";
        EXPECT_TRUE(at::equal(result.context, attention(given.call()).context));
        const at::Tensor expected = given.expected().mass.sum(0).div(14);
        EXPECT_LE(deviation(call.scores.narrow(0, 0, 130 + chunk).sub(1), expected), 1e-5);
        EXPECT_TRUE(call.scores.narrow(0, 130 + chunk, 10 - chunk).eq(1).all().item<bool>());
        call.wantsMass = true;
        EXPECT_TRUE(attention(call).mass.defined());
    }
}

TEST(AttentionDispatch, TakesTheFastestKernelsForWhatTheyRead) {
    EXPECT_EQ(&cpuKernels(), supportedCpuKernels().front());
    EXPECT_STREQ(supportedCpuKernels().back()->name, "portable");
    EXPECT_TRUE(hasCpuAttention(AttentionCase({}, at::kBFloat16, at::kBFloat16).call()));
    EXPECT_FALSE(hasCpuAttention(AttentionCase({}, at::kDouble, at::kDouble).call()));
}

TEST(AttentionDispatch, ReadsQueriesOfAFusedProjection) {
    AttentionCase given({4, {50, 7}, 7, 64}, at::kBFloat16, at::kBFloat16);
    const at::Tensor expected = attention(given.call()).context;
    at::Tensor fused = given.queries.new_empty({4, 18, 64});
    fused.narrow(1, 0, 14).copy_(given.queries);
    given.queries = fused.narrow(1, 0, 14);
    EXPECT_TRUE(at::equal(attention(given.call()).context, expected));
}

}  // namespace
}  // namespace kvist::kernels::test
