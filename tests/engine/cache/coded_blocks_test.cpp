// SPDX-License-Identifier: GPL-3.0-or-later
// The kernel for coded entries against plain attention over the decoded rows, on every instruction set.
#include "engine/cache/coded_blocks.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "engine/cache/codecs/channel_codec.h"
#include "engine/cache/codecs/rotation_codec.h"
#include "engine/cache/codecs/token_codec.h"
#include "engine/kernels/attention.h"
#include "engine/policies/stores/random_rotation.h"

namespace kvist {
namespace {

constexpr std::int64_t kHeads = 2;
constexpr std::int64_t kResidual = 40;

struct Form {
    std::int64_t headDim;
    int keyBits;    ///< 16: plain
    int valueBits;  ///< 16: plain
    at::ScalarType type;
    bool perHead;
    bool evicts;
    bool isTurned = false;  ///< both by RotationCodec
};

void PrintTo(const Form& form, std::ostream* out) {
    *out << form.headDim << " wide, " << form.keyBits << "/" << form.valueBits << " bit";
}

LayerStore storeOf(const Form& form) {
    LayerStore store{.keys = {}, .values = {}, .mergesSparse = false};
    if (form.isTurned) {
        const at::Tensor rotation = randomRotation(form.headDim, 3, 1);
        return {.keys = {std::make_shared<RotationCodec>(rotation, form.keyBits), 5, 1},
                .values = {std::make_shared<RotationCodec>(rotation, form.valueBits), kResidual, 1}};
    }
    if (form.keyBits < 16) {
        store.keys = {std::make_shared<ChannelCodec>(form.headDim, 32, form.keyBits), 0, 64};
    }
    if (form.valueBits < 16) {
        store.values = {std::make_shared<TokenCodec>(form.headDim, 32, form.valueBits), kResidual, 1};
    }
    return store;
}

class CodedBlocks : public ::testing::TestWithParam<Form> {};

TEST_P(CodedBlocks, GiveTheAttentionOfTheDecodedRows) {
    const Form& form = GetParam();
    at::manual_seed(form.keyBits * 100 + form.valueBits);
    std::mt19937 random(5);
    LayerCache cache({1, kHeads, form.headDim, 1000, form.type, at::kCPU}, 0, form.perHead, storeOf(form));
    std::int64_t seen = 0;
    for (const std::int64_t chunk : {33, 1, 100, 7, 250, 1, 1, 40}) {
        const at::Tensor keys = (at::randn({chunk, kHeads, form.headDim}) * 2 + 0.5).to(form.type);
        const at::Tensor values = at::randn({chunk, kHeads, form.headDim}).to(form.type);
        const std::vector<std::int64_t> held(cache.held().begin(), cache.held().end());
        cache.append(keys, values, seen);
        seen += chunk;
        const at::Tensor queries = at::randn({chunk, 7 * kHeads, form.headDim}).to(form.type);
        std::vector<at::Tensor> plain;
        std::vector<at::Tensor> plainValues;
        for (std::size_t set = 0; set < cache.indexes(); ++set) {
            for (std::int64_t head = 0; head < cache.orderedKeys(set).size(0); ++head) {
                plain.push_back(cache.orderedKeys(set)[head]);
                plainValues.push_back(cache.orderedValues(set)[head]);
            }
        }
        auto call = codedBlocks(cache, queries, held);
        ASSERT_TRUE(call);
        call->wantsMass = chunk != 7;
        for (const kernels::CpuKernels* each : kernels::supportedCpuKernels()) {
            const kernels::AttentionResult result = kernels::codedAttentionCpu(*call, *each);
            EXPECT_EQ(result.mass.defined(), call->wantsMass);
            for (std::int64_t head = 0; head < kHeads; ++head) {
                const auto index = static_cast<std::size_t>(head);
                const auto expected =
                    kernels::attentionReference({.queries = queries.narrow(1, head * 7, 7),
                                                 .keys = plain[index].unsqueeze(0),
                                                 .values = plainValues[index].unsqueeze(0),
                                                 .held = std::span(held).subspan(index, 1),
                                                 .scale = 1.0 / std::sqrt(static_cast<double>(form.headDim)),
                                                 .wantsMass = true});
                const double tolerance = form.type == at::kFloat ? 2e-5 : 2e-2;
                at::Tensor own = result.context.narrow(1, head * 7 * form.headDim, 7 * form.headDim);
                if (form.isTurned) {
                    own = at::matmul(own.reshape({chunk, 7, form.headDim}), cache.codedValues().basis())
                              .view({chunk, -1});
                }
                own = own.to(form.type);
                EXPECT_TRUE(at::allclose(own, expected.context, tolerance, tolerance))
                    << each->name << ", chunk of " << chunk << ", off by "
                    << (own - expected.context).abs().max().item<double>();
                if (call->wantsMass) {
                    const at::Tensor mass = result.mass[head];
                    const std::int64_t entries = expected.mass.size(1);
                    EXPECT_TRUE(at::allclose(mass.narrow(0, 0, entries), expected.mass[0], 1e-3, 1e-4)) << each->name;
                    EXPECT_EQ(mass.narrow(0, entries, mass.size(0) - entries).abs().sum().item<float>(), 0.0F);
                }
            }
        }
        if (form.evicts) {
            EvictionPlan plan;
            for (std::size_t set = 0; set < cache.indexes(); ++set) {
                auto& gone = plan.evicted.emplace_back();
                for (std::int32_t entry = 0; entry < cache.index(set).count() - 1; ++entry) {
                    if (random() % 3 == 0) {
                        gone.push_back(entry);
                    }
                }
            }
            cache.apply(plan);
        }
        cache.settle();
    }
}

INSTANTIATE_TEST_SUITE_P(
    Forms, CodedBlocks,
    ::testing::Values(Form{64, 2, 2, at::kFloat, false, false}, Form{64, 4, 4, at::kFloat, false, true},
                      Form{128, 8, 2, at::kFloat, true, true}, Form{32, 2, 8, at::kFloat, true, false},
                      Form{64, 4, 2, at::kBFloat16, true, true}, Form{64, 16, 4, at::kHalf, false, true},
                      Form{96, 4, 16, at::kFloat, true, true}, Form{64, 4, 3, at::kFloat, false, true, true},
                      Form{128, 3, 1, at::kFloat, true, true, true}, Form{64, 1, 2, at::kBFloat16, true, false, true}));

TEST(CodedBlocks, OtherFormsAreLeftToThePlainPath) {
    const at::Tensor queries = at::randn({1, 4, 64});
    const std::vector<std::int64_t> held(2, 0);
    const auto formOf = [&](at::ScalarType type, LayerStore store) {
        const LayerCache cache({1, 2, 64, 10, type, at::kCPU}, 0, false, std::move(store));
        return codedBlocks(cache, queries.to(type), held).has_value();
    };
    const auto keys = [](std::int64_t group) { return std::make_shared<ChannelCodec>(64, group, 4); };
    EXPECT_TRUE(formOf(at::kFloat, {.keys = {keys(32), 0, 32}}));
    EXPECT_FALSE(formOf(at::kFloat, {.keys = {keys(16), 0, 32}}));
    EXPECT_FALSE(formOf(at::kDouble, {.keys = {keys(32), 0, 32}}));
    EXPECT_FALSE(formOf(at::kFloat, {.values = {std::make_shared<TokenCodec>(64, 64, 4), 0, 1}}));
}

}  // namespace
}  // namespace kvist
