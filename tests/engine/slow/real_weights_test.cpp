// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "engine/api/engine.h"

namespace kvist {
namespace {

/// Qwen2.5-Coder-0.5B with its real weights, as packaging/slow_checks.sh prepares them, on WikiText-2 with
/// warm 2048 and score 1024, against tests/data/nll/hf_reference.py.
class RealWeights : public ::testing::Test {
protected:
    void SetUp() override {
        const char* folder = std::getenv("KVIST_QWEN_05B");
        if (folder == nullptr) {
            GTEST_SKIP() << "KVIST_QWEN_05B names no model folder; packaging/slow_checks.sh prepares one";
        }
        m_config.model = {.path = folder, .device = "cpu", .dtype = "float32", .threads = 0};
        m_config.text = {KVIST_RESOURCES "/texts/wiki.test.raw", Segmentation::Lines};
        m_config.warm = 2048;
        m_config.score = 1024;
    }

    RunResult run() {
        SilentObserver silent;
        return engine().run(m_config, silent, {});
    }

    /// One engine for all, so that the weights are loaded once for each type.
    static Engine& engine() {
        static const auto shared = makeEngine();
        return *shared;
    }

    RunConfig m_config;
};

TEST_F(RealWeights, FullCacheInFloat32AgreesWithTheReferenceTokenByToken) {
    const RunResult result = run();
    std::ifstream file(KVIST_TEST_DATA "/nll/qwen_coder_05b_full.txt");
    const std::vector<float> expected{std::istream_iterator<float>(file), {}};
    ASSERT_EQ(expected.size(), 1024u);
    ASSERT_EQ(result.tokenNll.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_NEAR(result.tokenNll[i], expected[i], 2e-3) << "scored token " << i;
    }
    EXPECT_NEAR(result.metrics.at("perplexity"), 29.52, 0.01);
}

TEST_F(RealWeights, PoliciesInBfloat16AreNearTheReference) {
    // Sixteen bits round differently in every implementation: the reference itself is 0.3 % off its float32.
    m_config.model.dtype = "bfloat16";
    EXPECT_NEAR(run().metrics.at("perplexity"), 29.59, 0.3);
    m_config.policy = "window";
    m_config.budget = 512;
    EXPECT_NEAR(run().metrics.at("perplexity"), 34.89, 0.35);
    m_config.policy = "attention-score";
    EXPECT_NEAR(run().metrics.at("perplexity"), 43.05, 0.9);
}

TEST_F(RealWeights, BytesOfTheCacheAreThePublishedFigure) {
    m_config.model.dtype = "bfloat16";
    m_config.warm = 100;
    m_config.score = 28;
    EXPECT_EQ(run().metrics.at("kv_payload_bytes"), 128 * 12288);
}

TEST_F(RealWeights, TheGgufFileGivesTheNumbersOfTheConvertedFolder) {
    const char* file = std::getenv("KVIST_QWEN_05B_GGUF");
    if (file == nullptr) {
        GTEST_SKIP() << "KVIST_QWEN_05B_GGUF names no GGUF file of the same weights";
    }
    m_config.warm = 256;
    m_config.score = 256;
    const RunResult folder = run();
    m_config.model.path = file;
    const RunResult gguf = run();
    ASSERT_EQ(gguf.tokenNll.size(), 256u);
    EXPECT_EQ(gguf.tokenNll, folder.tokenNll);  // the same float32 weights: every bit
    EXPECT_NE(gguf.modelFingerprint, folder.modelFingerprint);
    const ModelInfo info = engine().inspect(file);
    EXPECT_EQ(info.storedType, "Q5_0");
    EXPECT_EQ(info.vocabularySize, 151936);
}

}  // namespace
}  // namespace kvist
