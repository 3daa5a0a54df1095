// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/session_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/policies/policy_factory.h"

namespace kvist {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

constexpr std::int64_t kLayers = 4;
constexpr std::int64_t kHeads = 2;
constexpr SessionOptions kStreamed{.budget = 100, .longest = 1000};

std::vector<std::int64_t> entriesOf(const std::string& policy, const ParameterMap& parameters,
                                    const SessionOptions& options = kStreamed) {
    return mostEntries(*makePolicy(policy, parameters), options, kLayers, kHeads);
}

TEST(SessionMemory, LayersThatAreLeftAloneHoldEverything) {
    const ParameterMap skipping = {{"skip_layers", std::int64_t{2}}};
    EXPECT_THAT(entriesOf("window", skipping), ElementsAre(1000, 1000, 100, 100));
    EXPECT_THAT(entriesOf("adakv", skipping), ElementsAre(1000, 1000, 100, 100));
    EXPECT_THAT(entriesOf("duoattention", skipping), ElementsAre(1000, 1000, 100, 100)) << "before its calibration";
    EXPECT_THAT(entriesOf("window", {}), Each(100));
    EXPECT_THAT(entriesOf("window", {}, {.budget = 100, .longest = 70}), Each(70));
}

TEST(SessionMemory, LayersHoldTheirOwnBudgets) {
    const auto pyramid = entriesOf("pyramidkv", {});
    EXPECT_EQ(pyramid[0] + pyramid[1] + pyramid[2] + pyramid[3], 4 * 100);
    EXPECT_GT(pyramid[0], pyramid[3] + 100);
    EXPECT_THAT(entriesOf("global", {}), Each(100)) << "the mean, since any layer may hold most of it";
}

TEST(SessionMemory, EverythingIsHeldWithoutABudgetOrAsAPrompt) {
    EXPECT_THAT(entriesOf("full", {}), Each(1000));
    EXPECT_THAT(entriesOf("kivi", {}), Each(1000));
    EXPECT_THAT(
        entriesOf("window", {}, {.budget = 100, .longest = 1000, .protocol = SessionProtocol::PrefillThenDecode}),
        Each(1000));
}

TEST(SessionMemory, ThePlanCountsEachLayer) {
    ModelInfo model;
    model.layers = kLayers;
    model.queryHeads = 4;
    model.kvHeads = kHeads;
    model.headDim = 64;
    const Compute compute{.type = at::kFloat};
    const auto cacheOf = [&](const RunConfig& config) {
        return planSession(model, compute, *makePolicy(config), kStreamed, 1).cache;
    };
    RunConfig config;
    config.policy = "window";
    const std::int64_t entryBytes = 2 * kHeads * 64 * 4;
    EXPECT_EQ(cacheOf(config), 400 * entryBytes);
    config.policyParameters["skip_layers"] = std::int64_t{1};
    EXPECT_EQ(cacheOf(config), 1300 * entryBytes);
    config.store = "turboquant";
    config.storeParameters = {{"exempt_first", std::int64_t{0}}, {"exempt_last", std::int64_t{0}}};
    EXPECT_EQ(cacheOf(config), 1300 * 2 * kHeads * (64 * 4 / 8 + 2)) << "four bits a number, and a length";
}

}  // namespace
}  // namespace kvist
