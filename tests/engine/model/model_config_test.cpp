// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/model_config.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/engine/support/engine_error_matcher.h"
#include "tests/engine/support/golden_files.h"
#include "tests/engine/support/temporary_folder.h"

namespace kvist {
namespace {

using nlohmann::json;
using testing::throwsEngineError;

/// config.json of Qwen2.5-0.5B with some keys changed; null removes a key.
class ModelConfigTest : public ::testing::Test {
protected:
    ModelConfig read(const json& changes) {
        json config = json::parse(R"({
            "architectures": ["Qwen2ForCausalLM"], "model_type": "qwen2", "hidden_act": "silu", "hidden_size": 896,
            "intermediate_size": 4864, "max_position_embeddings": 32768, "num_attention_heads": 14,
            "num_hidden_layers": 24, "num_key_value_heads": 2, "rms_norm_eps": 1e-06, "rope_theta": 1000000.0,
            "sliding_window": 32768, "max_window_layers": 24, "use_sliding_window": false,
            "tie_word_embeddings": true, "torch_dtype": "bfloat16", "eos_token_id": 151643, "vocab_size": 151936})");
        config.merge_patch(changes);
        m_folder.write("config.json", config.dump());
        return readModelConfig(m_folder.path());
    }

    testing::TemporaryFolder m_folder;
};

TEST_F(ModelConfigTest, ReadsAPublishedConfiguration) {
    const ModelConfig config = read(json::object());
    EXPECT_EQ(config.layers, 24);
    EXPECT_EQ(config.queryHeads, 14);
    EXPECT_EQ(config.kvHeads, 2);
    EXPECT_EQ(config.headDim, 64);
    EXPECT_EQ(config.hiddenSize, 896);
    EXPECT_EQ(config.intermediateSize, 4864);
    EXPECT_EQ(config.vocabularySize, 151936);
    EXPECT_EQ(config.maxPositions, 32768);
    EXPECT_EQ(config.ropeTheta, 1e6);
    EXPECT_EQ(config.rmsNormEps, 1e-6);
    EXPECT_TRUE(config.tiedEmbeddings);
    EXPECT_EQ(config.storedType, "bfloat16");
    EXPECT_EQ(config.endOfText, 151643);
}

TEST_F(ModelConfigTest, ReadsTheKeyNamesOfTransformersFive) {
    const ModelConfig config = read({{"rope_theta", nullptr},
                                     {"torch_dtype", nullptr},
                                     {"dtype", "float32"},
                                     {"rope_parameters", {{"rope_theta", 5000.0}, {"rope_type", "default"}}}});
    EXPECT_EQ(config.ropeTheta, 5000.0);
    EXPECT_EQ(config.storedType, "float32");
}

TEST_F(ModelConfigTest, MissingKeysAreNamed) {
    for (const char* key :
         {"num_hidden_layers", "num_attention_heads", "hidden_size", "intermediate_size", "vocab_size"}) {
        EXPECT_THAT([&] { read({{key, nullptr}}); }, throwsEngineError(ErrorKind::UnreadableFile, key));
    }
}

TEST_F(ModelConfigTest, ValuesOfAWrongTypeOrSizeAreNamed) {
    const json wrong = {{"num_hidden_layers", "24"},
                        {"num_attention_heads", 14.5},
                        {"num_key_value_heads", 0},
                        {"hidden_size", -896},
                        {"intermediate_size", std::uint64_t{1} << 63},
                        {"vocab_size", true},
                        {"rope_theta", 0},
                        {"rms_norm_eps", "small"},
                        {"tie_word_embeddings", 1},
                        {"head_dim", 63}};
    for (const auto& [key, value] : wrong.items()) {
        SCOPED_TRACE(key);
        EXPECT_THAT([&] { read({{key, value}}); }, throwsEngineError(ErrorKind::UnreadableFile, key));
    }
}

TEST_F(ModelConfigTest, HeadsMustDivideEvenly) {
    EXPECT_THAT(
        [&] {
            read({{"num_key_value_heads", 4}});
        },
        throwsEngineError(ErrorKind::UnreadableFile, "num_key_value_heads"));
}

TEST_F(ModelConfigTest, OtherArchitecturesAreRefusedByName) {
    EXPECT_THAT(
        [&] {
            read({{"architectures", {"LlamaForCausalLM"}}, {"model_type", "llama"}});
        },
        throwsEngineError(ErrorKind::UnsupportedModel, "LlamaForCausalLM"));
    EXPECT_THAT(
        [&] {
            read({{"architectures", nullptr}, {"model_type", "qwen3"}});
        },
        throwsEngineError(ErrorKind::UnsupportedModel, "qwen3"));
    EXPECT_NO_THROW(read({{"architectures", nullptr}}));
}

TEST_F(ModelConfigTest, SlidingWindowsAreRefusedWhereALayerHasOne) {
    const auto refuses = [&](const json& changes, const char* message) {
        EXPECT_THAT([&] { read(changes); }, throwsEngineError(ErrorKind::UnsupportedModel, message)) << changes;
    };
    refuses({{"use_sliding_window", true}, {"max_window_layers", 23}}, "use_sliding_window");
    refuses({{"use_sliding_window", true}, {"max_window_layers", 0}}, "use_sliding_window");
    refuses({{"use_sliding_window", true}, {"max_window_layers", nullptr}}, "use_sliding_window");
    refuses({{"layer_types", {"full_attention", "sliding_attention"}}}, "sliding_attention");
    // Of 24 layers none comes after the first 24, and without its width there is no window.
    EXPECT_NO_THROW(read({{"use_sliding_window", true}}));
    EXPECT_NO_THROW(read({{"layer_types", {"full_attention", "full_attention"}}}));
    EXPECT_NO_THROW(read({{"use_sliding_window", false}, {"max_window_layers", 21}}));
}

TEST_F(ModelConfigTest, YarnIsReadUnderOldAndNewNames) {
    const ModelConfig published =
        read({{"rope_scaling", {{"type", "yarn"}, {"factor", 4.0}, {"original_max_position_embeddings", 32768}}}});
    EXPECT_EQ(published.yarn, (YarnScaling{.factor = 4, .originalPositions = 32768}));
    EXPECT_EQ(published.ropeTheta, 1e6);
    EXPECT_EQ(published.maxPositions, 131072);
    YarnScaling all{.factor = 2, .originalPositions = 4096, .betaFast = 16, .betaSlow = 2, .truncates = false};
    all.attentionFactor = 0.9;
    const ModelConfig newer = read({{"rope_theta", nullptr},
                                    {"rope_parameters",
                                     {{"rope_type", "yarn"},
                                      {"rope_theta", 5000.0},
                                      {"factor", 2.0},
                                      {"original_max_position_embeddings", 4096},
                                      {"beta_fast", 16},
                                      {"beta_slow", 2},
                                      {"truncate", false},
                                      {"attention_factor", 0.9}}}});
    EXPECT_EQ(newer.yarn, all);
    EXPECT_EQ(newer.ropeTheta, 5000.0);
    EXPECT_EQ(newer.maxPositions, 32768);
    // transformers takes max_position_embeddings where the original number is not given.
    EXPECT_EQ(read({{"rope_scaling", {{"type", "yarn"}, {"factor", 2.0}}}}).yarn->originalPositions, 32768);
    EXPECT_FALSE(read({{"rope_scaling", nullptr}}).yarn.has_value());
    EXPECT_FALSE(read({{"rope_scaling", {{"type", "default"}}}}).yarn.has_value());
}

TEST_F(ModelConfigTest, OtherScalingAndSenselessYarnAreNamed) {
    for (const char* type : {"linear", "dynamic", "llama3"}) {
        EXPECT_THAT(
            [&] {
                read({{"rope_scaling", {{"type", type}, {"factor", 2.0}}}});
            },
            throwsEngineError(ErrorKind::UnsupportedModel, type));
    }
    for (const json& factor : {json(), json(0), json(-1), json("4"), json(1e9)}) {
        EXPECT_THAT(
            [&] {
                read({{"rope_scaling", {{"type", "yarn"}, {"factor", factor}}}});
            },
            throwsEngineError(ErrorKind::UnreadableFile, "factor"))
            << factor;
    }
    EXPECT_THAT([&] { read({{"hidden_act", "gelu"}}); }, throwsEngineError(ErrorKind::UnsupportedModel, "gelu"));
}

TEST_F(ModelConfigTest, WhatIsNoJsonIsNamedWithItsLine) {
    m_folder.write("config.json", "{\n\"hidden_size\": 896,\n\"vocab_size\" 12}");
    EXPECT_THAT([&] { readModelConfig(m_folder.path()); }, throwsEngineError(ErrorKind::UnreadableFile, ", line 3;"));
    m_folder.write("config.json", "[1, 2]");
    EXPECT_THAT([&] { readModelConfig(m_folder.path()); }, throwsEngineError(ErrorKind::UnreadableFile, "config.json"));
    m_folder.write("config.json", "{\"hidden_size\": 1e999}");
    EXPECT_THAT([&] { readModelConfig(m_folder.path()); },
                throwsEngineError(ErrorKind::UnreadableFile, "config.json: holds a number beyond"));
    m_folder.write("config.json", "");
    EXPECT_THAT([&] { readModelConfig(m_folder.path()); }, throwsEngineError(ErrorKind::UnreadableFile, "config.json"));
}

TEST_F(ModelConfigTest, AMissingFileIsNamed) {
    EXPECT_THAT([&] { readModelConfig(m_folder.path()); }, throwsEngineError(ErrorKind::UnreadableFile, "config.json"));
}

TEST(ModelConfigOfBundledModels, AreRead) {
    EXPECT_EQ(readModelConfig(testing::demoModel()).headDim, 64);
    EXPECT_EQ(readModelConfig(testing::tinyModel("untied")).ropeTheta, 5000.0);
    EXPECT_EQ(readModelConfig(testing::tinyModel("bfloat16_seven")).queryHeads, 7);
}

}  // namespace
}  // namespace kvist
