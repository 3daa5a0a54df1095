// SPDX-License-Identifier: GPL-3.0-or-later
// Runs whose entries are held as codes, through the facade.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "engine/api/engine.h"
#include "engine/api/policy_catalog.h"
#include "tests/engine/support/engine_error_matcher.h"

namespace kvist {
namespace {

using testing::throwsEngineError;

class StoredEngine : public ::testing::Test {
protected:
    static constexpr std::int64_t kTokens = 500;

    StoredEngine() {
        m_config.model = {.path = KVIST_RESOURCES "/demo_model", .device = "cpu", .dtype = "float32", .threads = 2};
        m_config.text = {KVIST_RESOURCES "/texts/war_of_the_worlds.txt", Segmentation::Whole};
        m_config.warm = 400;
        m_config.score = kTokens - m_config.warm;
    }

    RunResult runIn(const std::string& store, const ParameterMap& parameters = {}) {
        m_config.store = store;
        m_config.storeParameters = parameters;
        SilentObserver observer;
        return m_engine->run(m_config, observer, {});
    }

    std::unique_ptr<Engine> m_engine = makeEngine();
    RunConfig m_config;
};

ParameterMap kivi(const char* bits) {
    return {{"key_bits", std::string(bits)}, {"value_bits", std::string(bits)}, {"residual", std::int64_t{32}}};
}

TEST_F(StoredEngine, BytesAreThoseOfCodesScalesAndTail) {
    const RunResult result = runIn("kivi", kivi("4"));
    const ModelInfo model = m_engine->inspect(m_config.model.path);
    ASSERT_EQ(model.headDim % 32, 0);
    const std::int64_t heads = model.layers * model.kvHeads;
    // 15 groups of 32 keys and 20 keys in the tail; 468 values alone and 32 in the tail.
    const std::int64_t payload = heads * model.headDim * ((480 + 468) / 2 + (20 + 32) * 4);
    const std::int64_t scales = heads * model.headDim * 4 * 15 + heads * model.headDim / 32 * 4 * 468;
    EXPECT_EQ(result.metrics.at("kv_payload_bytes"), static_cast<double>(payload));
    EXPECT_EQ(result.metrics.at("kv_read_bytes_per_step"), static_cast<double>(payload + scales));
    EXPECT_GT(result.metrics.at("kv_metadata_bytes"), static_cast<double>(scales));
    EXPECT_EQ(heldBytes(m_config, model, 4, kTokens), payload + scales);
    EXPECT_EQ(result.metrics.count("kv_recoded_rows"), 0U);
}

TEST_F(StoredEngine, MoreBitsAreNearerToTheFullCache) {
    const double full = runIn("").metrics.at("nll");
    EXPECT_NEAR(runIn("kivi", kivi("8")).metrics.at("nll"), full, 0.005);
    EXPECT_NEAR(runIn("kivi", kivi("4")).metrics.at("nll"), full, 0.1);
    EXPECT_NEAR(runIn("turboquant").metrics.at("nll"), full, 0.1);
    EXPECT_NEAR(runIn("think", {{"pruned", 0.1}}).metrics.at("nll"), full, 0.1);
    EXPECT_TRUE(std::isfinite(runIn("kivi", kivi("2")).metrics.at("nll")));
}

TEST_F(StoredEngine, APrunedCacheMayBeStored) {
    m_config.policy = "snapkv";
    m_config.budget = 128;
    const RunResult plain = runIn("");
    const RunResult stored = runIn("kivi", kivi("4"));
    EXPECT_LT(stored.metrics.at("kv_payload_bytes"), plain.metrics.at("kv_payload_bytes") * 0.7);
    EXPECT_NEAR(stored.metrics.at("nll"), plain.metrics.at("nll"), 0.3);
}

TEST_F(StoredEngine, WhatCannotBeStoredIsRefusedByName) {
    EXPECT_THAT([&] { runIn("kivvi"); }, throwsEngineError(ErrorKind::InvalidInput, "did you mean kivi"));
    EXPECT_THAT(
        [&] {
            runIn("kivi", {{"key_bit", std::string("4")}});
        },
        throwsEngineError(ErrorKind::InvalidInput, "key_bits"));
    m_config.policy = "turboquant";
    EXPECT_THAT([&] { runIn("kivi"); }, throwsEngineError(ErrorKind::InvalidInput, "is a store itself"));
}

TEST_F(StoredEngine, TextIsContinuedFromAStore) {
    GenerationRequest request;
    request.model = m_config.model;
    request.prompt = std::string(400, 'a') + " No one would have believed in the last years";
    request.store = "kivi";
    request.storeParameters = kivi("8");
    request.tokens = 8;
    std::string text;
    SilentObserver observer;
    m_engine->generate(request, [&](std::string_view piece) { text += piece; }, observer, {});
    EXPECT_FALSE(text.empty());
}

}  // namespace
}  // namespace kvist
