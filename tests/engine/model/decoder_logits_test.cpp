// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "engine/model/decoder.h"
#include "engine/model/weights.h"
#include "tests/engine/support/engine_error_matcher.h"
#include "tests/engine/support/golden_files.h"
#include "tests/engine/support/growing_cache.h"

namespace kvist {
namespace {

using testing::throwsEngineError;

/// A tiny random model and its logits by transformers (float32) and NumPy (float64).
struct Golden {
    explicit Golden(const std::string& name, at::ScalarType type, bool eightBitWeights = false)
        : folder(testing::tinyModel(name)),
          config(readModelConfig(folder)),
          decoder(config, Weights(folder), {at::TensorOptions(type), eightBitWeights}),
          tokens(testing::readNumbers<std::int32_t>(folder / "tokens.txt")),
          shape{static_cast<std::int64_t>(tokens.size()), config.vocabularySize} {}

    at::Tensor float32() const { return testing::readTensor(folder / "logits.f32", shape, at::kFloat); }
    at::Tensor float64() const { return testing::readTensor(folder / "logits.f64", shape, at::kDouble); }

    /// Logits of all tokens, fed `chunk` at a time.
    at::Tensor logits(std::size_t chunk) const {
        testing::GrowingCache cache(config.layers);
        std::vector<at::Tensor> pieces;
        const std::span<const std::int32_t> all(tokens);
        for (std::size_t first = 0; first < all.size(); first += chunk) {
            const auto piece = all.subspan(first, std::min(chunk, all.size() - first));
            pieces.push_back(decoder.logits(decoder.forward(piece, static_cast<std::int64_t>(first), cache)));
        }
        return at::cat(pieces);
    }

    std::filesystem::path folder;
    ModelConfig config;
    Decoder decoder;
    std::vector<std::int32_t> tokens;
    std::vector<std::int64_t> shape;
};

double largestDifference(const at::Tensor& a, const at::Tensor& b) {
    return (a.to(at::kDouble) - b.to(at::kDouble)).abs().max().item<double>();
}

class DecoderLogits : public ::testing::TestWithParam<const char*> {};

TEST_P(DecoderLogits, AgreeWithTransformersInFloat32) {
    const Golden golden(GetParam(), at::kFloat);
    for (const std::size_t chunk : {24, 1, 3, 7}) {  // prefill, decode, prefill in chunks
        SCOPED_TRACE("chunk " + std::to_string(chunk));
        EXPECT_LT(largestDifference(golden.logits(chunk), golden.float32()), 1e-4);
    }
}

TEST_P(DecoderLogits, AgreeWithNumpyInFloat64) {
    const Golden golden(GetParam(), at::kDouble);
    for (const std::size_t chunk : {24, 1, 7}) {
        SCOPED_TRACE("chunk " + std::to_string(chunk));
        EXPECT_LT(largestDifference(golden.logits(chunk), golden.float64()), 1e-10);
    }
}

TEST_P(DecoderLogits, StayNearInSixteenBits) {
    for (const at::ScalarType type : {at::kBFloat16, at::kHalf}) {
        const Golden golden(GetParam(), type);
        const double scale = golden.float64().abs().max().item<double>();
        const double tolerance = type == at::kHalf ? 0.01 : 0.05;
        EXPECT_LT(largestDifference(golden.logits(7), golden.float64()), tolerance * scale) << type;
    }
}

TEST_P(DecoderLogits, StayNearWithEightBitWeights) {
    const Golden golden(GetParam(), at::kFloat, true);
    const double scale = golden.float64().abs().max().item<double>();
    const at::Tensor together = golden.logits(24);
    EXPECT_LT(largestDifference(together, golden.float64()), 0.05 * scale);
    EXPECT_GT(largestDifference(together, golden.float64()), 0.0001 * scale);
    // One row at a time the kernel reads the 8 bits, many rows are multiplied with a dense copy.
    EXPECT_LT(largestDifference(golden.logits(1), together), 1e-4);
}

INSTANTIATE_TEST_SUITE_P(TinyModels, DecoderLogits,
                         ::testing::Values("untied", "tied_sharded", "bfloat16_seven", "float16"),
                         [](const auto& tested) { return std::string(tested.param); });

TEST(Decoder, RefusesTokensBeyondTheVocabulary) {
    const Golden golden("untied", at::kFloat);
    testing::GrowingCache cache(golden.config.layers);
    for (const std::int32_t token : {128, -1}) {
        const std::vector<std::int32_t> tokens = {1, token};
        EXPECT_THAT([&] { golden.decoder.forward(tokens, 0, cache); },
                    throwsEngineError(ErrorKind::InvalidInput, std::to_string(token)));
    }
}

TEST(Decoder, LooksAtTheStopTokenBeforeEveryLayer) {
    const Golden golden("untied", at::kFloat);
    testing::GrowingCache cache(golden.config.layers);
    std::stop_source stop;
    std::int64_t layersDone = 0;
    ForwardOptions options;
    options.stop = stop.get_token();
    options.onLayerDone = [&](std::int64_t done) {
        layersDone = done;
        if (done == 2) {
            stop.request_stop();
        }
    };
    EXPECT_THAT([&] { golden.decoder.forward(golden.tokens, 0, cache, options); },
                throwsEngineError(ErrorKind::Cancelled, ""));
    EXPECT_EQ(layersDone, 2);
}

TEST(Decoder, CountsTheWeightBytesOfAStep) {
    // Tied: every parameter but no second matrix; untied: the embedding itself is a look-up of one row.
    const Golden tied("tied_sharded", at::kFloat);
    EXPECT_EQ(tied.decoder.weightBytesPerStep(), Weights(tied.folder).bytes());
    const Golden untied("untied", at::kFloat);
    const std::int64_t embedding = 4 * untied.config.vocabularySize * untied.config.hiddenSize;
    EXPECT_EQ(untied.decoder.weightBytesPerStep(), Weights(untied.folder).bytes() - embedding);
    const Golden small("untied", at::kFloat, true);
    EXPECT_LT(small.decoder.weightBytesPerStep(), untied.decoder.weightBytesPerStep() * 0.4);
}

}  // namespace
}  // namespace kvist
