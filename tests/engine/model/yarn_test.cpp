// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/model/decoder.h"
#include "engine/model/weights.h"
#include "tests/engine/support/golden_files.h"
#include "tests/engine/support/growing_cache.h"
#include "tests/engine/support/temporary_folder.h"

namespace kvist {
namespace {

std::filesystem::path golden(const std::string& name) {
    return testing::dataFolder() / "yarn" / name;
}

TEST(Yarn, FrequenciesAndScaleAreThoseOfTransformers) {
    const auto cases = nlohmann::json::parse(testing::readBytes(golden("frequencies.json")));
    ASSERT_EQ(cases.size(), 5u);
    for (const auto& one : cases) {
        SCOPED_TRACE(one.dump().substr(0, 120));
        YarnScaling yarn{.factor = one["factor"], .originalPositions = one["original_max_position_embeddings"]};
        yarn.betaFast = one.value("beta_fast", 32.0);
        yarn.betaSlow = one.value("beta_slow", 1.0);
        yarn.truncates = one.value("truncate", true);
        if (one.contains("attention_factor")) {
            yarn.attentionFactor = one["attention_factor"].get<double>();
        }
        EXPECT_DOUBLE_EQ(yarn.scale(), one["scale"].get<double>());
        const std::int64_t headDim = one["head_dim"];
        const RotaryEmbedding rotary(headDim, one["rope_theta"], at::TensorOptions(at::kFloat), yarn);
        // At position 1 cosine and sine give the frequency back.
        const RotaryAngles angles = rotary.angles(1, 1);
        const auto frequencies = one["frequencies"].get<std::vector<double>>();
        ASSERT_EQ(angles.cos.size(1), static_cast<std::int64_t>(frequencies.size()));
        for (std::int64_t i = 0; i < angles.cos.size(1); ++i) {
            const double cos = angles.cos[0][i].item<double>();
            const double sin = angles.sin[0][i].item<double>();
            EXPECT_NEAR(std::hypot(cos, sin), yarn.scale(), 1e-6) << i;
            EXPECT_NEAR(std::atan2(sin, cos), frequencies[static_cast<std::size_t>(i)],
                        1e-6 * frequencies[static_cast<std::size_t>(i)] + 1e-12)
                << i;
        }
    }
}

TEST(Yarn, InverseTurnsBack) {
    const RotaryEmbedding rotary(8, 5000, at::TensorOptions(at::kDouble),
                                 YarnScaling{.factor = 4, .originalPositions = 16});
    const RotaryAngles angles = rotary.angles(3, 2);
    const RotaryAngles inverse = rotary.inverse(angles);
    const at::Tensor real = angles.cos * inverse.cos - angles.sin * inverse.sin;
    const at::Tensor imaginary = angles.cos * inverse.sin + angles.sin * inverse.cos;
    EXPECT_LT((real - 1).abs().max().item<double>(), 1e-12);
    EXPECT_LT(imaginary.abs().max().item<double>(), 1e-12);
}

class YarnLogits : public ::testing::TestWithParam<const char*> {};

TEST_P(YarnLogits, AgreeWithTransformers) {
    const std::string name = GetParam();
    testing::TemporaryFolder folder;
    folder.write("config.json", testing::readBytes(golden(name + ".json")));
    const ModelConfig config = readModelConfig(folder.path());
    ASSERT_TRUE(config.yarn.has_value());
    const Decoder decoder(config, Weights(testing::tinyModel("untied")), at::TensorOptions(at::kFloat));
    const auto tokens = testing::readNumbers<std::int32_t>(golden("tokens.txt"));
    const at::Tensor expected = testing::readTensor(
        golden(name + ".f32"), {static_cast<std::int64_t>(tokens.size()), config.vocabularySize}, at::kFloat);
    for (const std::size_t chunk : {std::size_t{40}, std::size_t{7}, std::size_t{1}}) {
        testing::GrowingCache cache(config.layers);
        std::vector<at::Tensor> pieces;
        for (std::size_t first = 0; first < tokens.size(); first += chunk) {
            const auto part = std::span(tokens).subspan(first, std::min(chunk, tokens.size() - first));
            pieces.push_back(decoder.logits(decoder.forward(part, static_cast<std::int64_t>(first), cache)));
        }
        EXPECT_LT((at::cat(pieces) - expected).abs().max().item<double>(), 1e-4) << chunk;
    }
}

INSTANTIATE_TEST_SUITE_P(Settings, YarnLogits, ::testing::Values("published", "transformers5"),
                         [](const auto& instance) { return std::string(instance.param); });

}  // namespace
}  // namespace kvist
