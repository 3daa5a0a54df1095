// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/policies/sim_layer_policy.h"
#include "engine/session/session.h"
#include "tests/engine/support/decoders.h"
#include "tests/engine/support/fed_layer.h"

namespace kvist {
namespace {

using testing::FedLayer;

SimLayerPolicy policyWith(double threshold, std::int64_t sinks, std::int64_t recent, std::int64_t last = 1) {
    return SimLayerPolicy(completed(SimLayerPolicy::info().parameters,
                                    {{"threshold", threshold}, {"sinks", sinks}, {"recent", recent}, {"last", last}},
                                    ""));
}

/// Eight entries whose last query pays .1 .0 .2 .1 .1 .1 .3 .1 to them.
FedLayer attending(SimLayerPolicy& policy) {
    FedLayer layer({1, 1, 8, 8, at::kDouble, at::kCPU}, policy.needs());
    const at::Tensor row = at::tensor({.1, 1e-300, .2, .1, .1, .1, .3, .1}, at::kDouble);
    at::Tensor queries = at::zeros({8, 1, 8}, at::kDouble);
    queries[7][0].copy_(row.log() * std::sqrt(8.0));
    const at::Tensor keys = at::eye(8, at::kDouble).unsqueeze(1);
    layer.feed(policy, queries, keys, keys);
    return layer;
}

TEST(SimLayer, AddsUpSinksAndRecentEntriesBeforeTheQueries) {
    SimLayerPolicy policy = policyWith(0.85, 2, 2);
    EXPECT_NEAR(policy.nearbyShare(attending(policy).view()), .1 + 0 + .1 + .3, 1e-9);
}

TEST(SimLayer, LazyLayersHoldSinksAndRecentEntriesTheOthersAll) {
    for (const double threshold : {0.49, 0.51}) {
        SimLayerPolicy policy = policyWith(threshold, 2, 2);
        FedLayer layer = attending(policy);
        const PlanContext atEnd{0, 4, 8, 0, PlanPhase::PrefillEnd, 8};
        const auto gone = policy.plan(layer.view(), atEnd).evicted;
        if (threshold < 0.5) {
            EXPECT_EQ(gone, (std::vector<std::vector<std::int32_t>>{{2, 3, 4, 5}}));
        } else {
            EXPECT_TRUE(gone.empty());
        }
        EXPECT_EQ(policy.plan(layer.view(), {0, 4, 8, 0, PlanPhase::Decode, 8}).evicted, gone) << "decided once";
        policy.reset();
        EXPECT_TRUE(policy.plan(layer.view(), {0, 4, 8, 0, PlanPhase::Decode, 8}).evicted.empty())
            << "never judged: everything stays";
    }
}

TEST(SimLayer, LazyLayersStaySmallWhileTextIsGenerated) {
    const Decoder decoder = testing::loadDecoder(testing::tinyModel("untied"), at::kFloat);
    for (const double threshold : {0.0, 1.0}) {
        SimLayerPolicy policy = policyWith(threshold, 2, 10);
        Session session(decoder, policy,
                        {.budget = 0, .chunk = 4, .longest = 100, .protocol = SessionProtocol::PrefillThenDecode});
        session.feed(testing::someTokens(50));
        session.endPrompt();
        session.feed(testing::someTokens(30));
        for (std::int64_t layer = 0; layer < 3; ++layer) {
            EXPECT_EQ(session.cache().layer(layer).mostHeld(), threshold < 0.5 ? 12 : 80);
        }
    }
}

}  // namespace
}  // namespace kvist
