// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/policies/duo_attention_policy.h"
#include "engine/session/session.h"
#include "tests/engine/support/decoders.h"
#include "tests/engine/support/engine_error_matcher.h"

namespace kvist {
namespace {

using ::testing::ElementsAre;

DuoAttentionPolicy policyWith(double retrieval, std::int64_t sinks, std::int64_t recent) {
    return DuoAttentionPolicy(completed(DuoAttentionPolicy::info().parameters,
                                        {{"retrieval", retrieval}, {"sinks", sinks}, {"recent", recent}}, ""));
}

/// Three layers of two heads: the heads of layer 0 retrieve, one of layer 1 does, none of layer 2.
DuoAttentionPolicy half() {
    DuoAttentionPolicy policy = policyWith(0.5, 2, 4);
    policy.calibrate({at::tensor({.9F, .8F, .1F, .7F, .2F, .3F}).view({3, 2}), ""});
    return policy;
}

TEST(DuoAttention, RetrievalHeadsGetWhatStreamingHeadsSave) {
    const DuoAttentionPolicy policy = half();
    // Budget 20: streaming heads hold 2 + 4, so retrieval heads 20 + 14.
    EXPECT_EQ(policy.layerBudget(20, 0, 3), 34);
    EXPECT_EQ(policy.layerBudget(20, 1, 3), 20);
    EXPECT_EQ(policy.layerBudget(20, 2, 3), 6);
    EXPECT_THAT(policy.shares(0, 34, 0), ElementsAre(34, 34));
    EXPECT_THAT(policy.shares(1, 20, 0), ElementsAre(6, 34));
    EXPECT_THAT(policy.shares(1, 18, 2), ElementsAre(4, 32)) << "room for two more in each";
    EXPECT_THAT(policy.shares(1, 10, 10), ElementsAre(3, 17)) << "sinks and one more stay";
    EXPECT_THAT(policy.shares(2, 6, 0), ElementsAre(6, 6));
}

TEST(DuoAttention, SmallBudgetsAndExtremesAreShared) {
    EXPECT_EQ(half().layerBudget(5, 0, 3), 5);
    EXPECT_EQ(half().layerBudget(5, 2, 3), 5);
    for (const double share : {0.0, 1.0}) {
        DuoAttentionPolicy same = policyWith(share, 2, 4);
        same.calibrate({at::rand({3, 2}), ""});
        EXPECT_EQ(same.layerBudget(20, 0, 3), 20);
        EXPECT_THAT(same.shares(1, 20, 0), ElementsAre(20, 20));
    }
}

TEST(DuoAttention, TheBudgetIsTheMeanOverAllHeads) {
    at::manual_seed(1);
    for (std::int64_t trial = 0; trial < 30; ++trial) {
        const std::int64_t layers = 1 + trial % 7;
        const std::int64_t heads = 1 + trial % 4;
        const std::int64_t budget = 8 + 5 * trial;
        DuoAttentionPolicy policy = policyWith(0.1 * static_cast<double>(trial % 11), 2, 4);
        policy.calibrate({at::rand({layers, heads}), ""});
        std::int64_t sum = 0;
        for (std::int64_t layer = 0; layer < layers; ++layer) {
            sum += policy.layerBudget(budget, layer, layers);
        }
        EXPECT_LE(sum, budget * layers);
        EXPECT_GT(sum, (budget - 1) * layers) << "but for rounding";
    }
}

TEST(DuoAttention, EqualHeadsGoByTheirOrderAndNanIsRefused) {
    DuoAttentionPolicy policy = policyWith(0.5, 2, 4);
    policy.calibrate({at::ones({1, 2}), ""});
    EXPECT_THAT(policy.shares(0, 20, 0), ElementsAre(34, 6));
    const at::Tensor nan = at::full({1, 2}, std::numeric_limits<float>::quiet_NaN());
    EXPECT_THAT([&] { policy.calibrate({nan, ""}); }, testing::throwsEngineError(ErrorKind::Numerical, "NaN"));
}

TEST(DuoAttention, ReallyFreesMemory) {
    const Decoder decoder = testing::loadDecoder(testing::tinyModel("untied"), at::kFloat);
    DuoAttentionPolicy policy = half();
    Session session(decoder, policy, {.budget = 20, .chunk = 2, .longest = 200});
    session.feed(testing::someTokens(120));
    const auto held = [&](std::int64_t layer) {
        const auto counts = session.cache().layer(layer).held();
        return std::vector<std::int64_t>(counts.begin(), counts.end());
    };
    EXPECT_THAT(held(0), ElementsAre(34, 34));
    EXPECT_THAT(held(1), ElementsAre(6, 34));
    EXPECT_THAT(held(2), ElementsAre(6, 6));
    constexpr std::int64_t kEntryBytes = 2 * 8 * 4;
    EXPECT_EQ(session.stats().payload, 120 * kEntryBytes);
    const EntryIndex& streaming = session.cache().layer(1).index(0);
    EXPECT_EQ(streaming.position(1), 1);
    EXPECT_EQ(streaming.position(2), 116);
    const EntryIndex& retrieving = session.cache().layer(1).index(1);
    EXPECT_EQ(retrieving.position(2), 88);
}

}  // namespace
}  // namespace kvist
