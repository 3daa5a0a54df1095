// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/memory_plan.h"

#include <gtest/gtest.h>

#include "tests/engine/support/engine_error_matcher.h"

namespace kvist {
namespace {

using testing::throwsEngineError;

/// Qwen2.5-7B by its published configuration.
ModelInfo sevenB() {
    ModelInfo info;
    info.path = "/models/seven";
    info.layers = 28;
    info.queryHeads = 28;
    info.kvHeads = 4;
    info.headDim = 128;
    info.hiddenSize = 3584;
    info.intermediateSize = 18944;
    info.vocabularySize = 152064;
    info.parameters = 7615616512;
    return info;
}

TEST(MemoryPlan, CountsWeightsCacheAndBuffers) {
    const MemoryPlan plan = planMemory(sevenB(), {.type = at::kBFloat16}, 28 * 32768, 512);
    EXPECT_EQ(plan.weights, 15231233024);                // two bytes each
    EXPECT_EQ(plan.cache, std::int64_t{32768} * 57344);  // 2 · 28 layers · 4 heads · 128 · 2 bytes a token
    // 512 tokens of 4 · 3584 + 3 · 18944 elements, and three blocks of logits of 64 MiB
    EXPECT_EQ(plan.buffers, 512 * 71168 * 2 + 3 * (64 << 20));
    EXPECT_EQ(plan.total(), plan.weights + plan.cache + plan.buffers);
    EXPECT_EQ(planMemory(sevenB(), {.type = at::kFloat}, 28 * 32768, 512).weights, 2 * plan.weights);
    // One token has three rows of float32 logits.
    EXPECT_EQ(planMemory(sevenB(), {.type = at::kBFloat16}, 1, 1).buffers, 71168 * 2 + 3 * 4 * 152064);
}

TEST(MemoryPlan, WhatDoesNotFitIsRefusedWithAllFigures) {
    MemoryPlan plan{std::int64_t{14000} << 20, std::int64_t{1800} << 20, std::int64_t{200} << 20};
    const auto check = [&](std::int64_t mebibytes) {
        checkMemory(plan, sevenB(), {.type = at::kBFloat16}, mebibytes << 20);
    };
    EXPECT_NO_THROW(check(16000));
    for (const char* figure : {"/models/seven", "bfloat16", "16000 MiB", "weights 14000 MiB", "cache 1800 MiB",
                               "buffers 200 MiB", "15999 MiB are free"}) {
        EXPECT_THAT([&] { check(15999); }, throwsEngineError(ErrorKind::OutOfMemory, figure));
    }
    plan.weights = 0;  // loaded already
    EXPECT_NO_THROW(check(2000));
    EXPECT_THAT([&] { check(1999); }, throwsEngineError(ErrorKind::OutOfMemory, "takes 2000 MiB (cache"));
}

}  // namespace
}  // namespace kvist
