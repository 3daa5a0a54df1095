// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluate/roofline.h"

#include <gtest/gtest.h>

#include "engine/policies/policy_factory.h"
#include "engine/session/session.h"
#include "tests/engine/support/decoders.h"
#include "tests/engine/support/golden_files.h"

namespace kvist {
namespace {

TEST(Roofline, AttentionIsBoundByTheSlowerOfReadingAndComputing) {
    const StepDemand demand{.weightBytes = 1000, .entryBytes = 500, .attentionOperations = 3000};
    EXPECT_DOUBLE_EQ(leastSeconds(demand, {.bytesPerSecond = 100, .operationsPerSecond = 1e9}), 15);
    EXPECT_DOUBLE_EQ(leastSeconds(demand, {.bytesPerSecond = 100, .operationsPerSecond = 100}), 10 + 30);
}

TEST(Roofline, DemandCountsWhatIsHeld) {
    const Decoder decoder = testing::loadDecoder(testing::tinyModel("untied"), at::kFloat);
    const ModelConfig& config = decoder.config();
    const auto policy = makePolicy("window", {});
    Session session(decoder, *policy, {.budget = 24, .chunk = 1, .longest = 100});
    session.fillRandomly(60, 0);
    const StepDemand demand = demandOf(session);
    EXPECT_EQ(demand.weightBytes, static_cast<double>(decoder.weightBytesPerStep()));
    const auto layers = static_cast<double>(config.layers);
    const auto headDim = static_cast<double>(config.headDim);
    EXPECT_EQ(demand.entryBytes, layers * static_cast<double>(config.kvHeads) * 24 * headDim * 2 * 4);
    EXPECT_EQ(demand.attentionOperations, layers * static_cast<double>(config.queryHeads) * 24 * headDim * 4);
}

}  // namespace
}  // namespace kvist
