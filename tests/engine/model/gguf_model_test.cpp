// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/gguf_config.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "engine/files/gguf_parts.h"
#include "engine/model/model_folder.h"
#include "engine/model/model_loader.h"
#include "engine/model/weights.h"
#include "tests/engine/support/engine_error_matcher.h"
#include "tests/engine/support/gguf_builder.h"
#include "tests/engine/support/golden_files.h"
#include "tests/engine/support/growing_cache.h"
#include "tests/engine/support/recording_observer.h"
#include "tests/engine/support/temporary_folder.h"

namespace kvist {
namespace {

namespace fs = std::filesystem;
using testing::GgufBuilder;
using testing::throwsEngineError;

fs::path fixture(const std::string& name) {
    return testing::dataFolder() / "gguf" / name;
}

std::unique_ptr<LoadedModel> load(const fs::path& path, at::ScalarType type, RunObserver& observer) {
    return loadModel(ModelFolders().inspect(path, {}), {.device = at::kCPU, .type = type, .threads = 2}, observer, {});
}

/// Metadata of a Qwen2 model of hidden size 8 without tensors of layers, to be changed in one way.
GgufBuilder header() {
    GgufBuilder builder;
    builder.text("general.architecture", "qwen2")
        .number("qwen2.block_count", 1)
        .number("qwen2.context_length", 64)
        .number("qwen2.embedding_length", 8)
        .number("qwen2.feed_forward_length", 8)
        .number("qwen2.attention.head_count", 2);
    builder.tensors.push_back({"token_embd.weight", {8, 4}, 0, std::string(128, '\0')});
    return builder;
}

class GgufConfigTest : public ::testing::Test {
protected:
    ModelConfig read(const GgufBuilder& builder) {
        return readModelConfig(m_folder.write("model.gguf", builder.bytes()));
    }
    testing::TemporaryFolder m_folder;
};

TEST_F(GgufConfigTest, ComesFromMetadataAndTensorTable) {
    const ModelConfig config = readModelConfig(fixture("small.gguf"));
    EXPECT_EQ(config.architecture, "Qwen2ForCausalLM");
    EXPECT_EQ(config.layers, 1);
    EXPECT_EQ(config.queryHeads, 4);
    EXPECT_EQ(config.kvHeads, 2);
    EXPECT_EQ(config.headDim, 8);
    EXPECT_EQ(config.hiddenSize, 32);
    EXPECT_EQ(config.intermediateSize, 64);
    EXPECT_EQ(config.maxPositions, 256);
    EXPECT_EQ(config.ropeTheta, 5000.0);
    EXPECT_FLOAT_EQ(static_cast<float>(config.rmsNormEps), 1e-6F);
    EXPECT_FALSE(config.tiedEmbeddings);
    EXPECT_FALSE(config.yarn.has_value());
    const ModelConfig tied = read(header());
    EXPECT_TRUE(tied.tiedEmbeddings);
    EXPECT_EQ(tied.vocabularySize, 4);
    EXPECT_EQ(tied.kvHeads, 2);
    EXPECT_EQ(tied.ropeTheta, 10000.0);
}

TEST_F(GgufConfigTest, OtherArchitecturesAreRefusedByName) {
    GgufBuilder builder;
    builder.text("general.architecture", "qwen2vl");
    EXPECT_THAT([&] { read(builder); }, throwsEngineError(ErrorKind::UnsupportedModel, "qwen2vl"));
    EXPECT_THAT([&] { read(GgufBuilder()); }, throwsEngineError(ErrorKind::UnsupportedModel, "not named"));
}

TEST_F(GgufConfigTest, SenselessNumbersAreNamed) {
    EXPECT_THAT([&] { read(header().number("qwen2.attention.head_count_kv", 3)); },
                throwsEngineError(ErrorKind::UnreadableFile, "head_count_kv"));
    EXPECT_THAT([&] { read(header().number("qwen2.attention.head_count_kv", 0)); },
                throwsEngineError(ErrorKind::UnreadableFile, "head_count_kv"));
    EXPECT_THAT([&] { read(header().number("qwen2.attention.key_length", 3)); },
                throwsEngineError(ErrorKind::UnreadableFile, "heads of 3"));
    EXPECT_THAT([&] { read(header().real("qwen2.rope.freq_base", -1)); },
                throwsEngineError(ErrorKind::UnreadableFile, "freq_base"));
    GgufBuilder noTensors = header();
    noTensors.tensors.clear();
    EXPECT_THAT([&] { read(noTensors); }, throwsEngineError(ErrorKind::UnreadableFile, "token_embd.weight"));
}

TEST_F(GgufConfigTest, YarnIsReadAndOtherScalingRefused) {
    const ModelConfig config = read(header()
                                        .text("qwen2.rope.scaling.type", "yarn")
                                        .real("qwen2.rope.scaling.factor", 4)
                                        .number("qwen2.rope.scaling.original_context_length", 64));
    ASSERT_TRUE(config.yarn.has_value());
    EXPECT_EQ(*config.yarn, (YarnScaling{.factor = 4, .originalPositions = 64}));
    EXPECT_EQ(config.maxPositions, 256);
    EXPECT_FALSE(read(header().text("qwen2.rope.scaling.type", "none")).yarn.has_value());
    EXPECT_THAT([&] { read(header().text("qwen2.rope.scaling.type", "linear")); },
                throwsEngineError(ErrorKind::UnsupportedModel, "linear"));
}

TEST(GgufModel, LogitsAreThoseOfTheDequantisedWeights) {
    SilentObserver silent;
    const auto tokens = testing::readNumbers<std::int32_t>(fixture("small.ids"));
    for (const char* name : {"small.gguf", "parts/small-00001-of-00002.gguf"}) {
        const auto model = load(fixture(name), at::kDouble, silent);
        testing::GrowingCache cache(1);
        const at::Tensor logits = model->decoder->logits(model->decoder->forward(tokens, 0, cache));
        const at::Tensor expected = testing::readTensor(
            fixture("small.f64"), {static_cast<std::int64_t>(tokens.size()), model->info.vocabularySize}, at::kDouble);
        EXPECT_LT((logits - expected).abs().max().item<double>(), 1e-9) << name;
        EXPECT_GT(expected.abs().max().item<double>(), 1.0);
    }
}

TEST(GgufModel, FactsAndProgress) {
    testing::RecordingObserver observer;
    const auto model = load(fixture("small.gguf"), at::kFloat, observer);
    EXPECT_EQ(model->info.name, "small");
    EXPECT_EQ(model->info.path, fixture("small.gguf").string());
    EXPECT_EQ(model->info.storedType, "Q8_0");
    EXPECT_EQ(model->info.tokenizer, "byte-level BPE");
    EXPECT_EQ(model->info.parameters, 2 * 1282 * 32 + 32 * 32 + 2 * 16 * 32 + 32 * 32 + 3 * 64 * 32 + 64 + 3 * 32);
    EXPECT_EQ(model->info.weightBytes, Weights(fixture("small.gguf")).bytes());
    ASSERT_FALSE(observer.progress.empty());
    EXPECT_EQ(observer.progress.back(), std::pair(model->info.weightBytes, model->info.weightBytes));
    const auto ids = model->tokenizer->encode("the cat<|endoftext|>");
    EXPECT_EQ(model->tokenizer->decode(ids), "the cat<|endoftext|>");
    EXPECT_EQ(ids.back(), model->tokenizer->endOfText());
}

TEST(GgufModel, LoadingStops) {
    std::stop_source stop;
    stop.request_stop();
    const ModelInfo info = ModelFolders().inspect(fixture("small.gguf"), {});
    SilentObserver silent;
    EXPECT_THAT(
        [&] { loadModel(info, {.device = at::kCPU, .type = at::kFloat, .threads = 1}, silent, stop.get_token()); },
        throwsEngineError(ErrorKind::Cancelled, ""));
}

TEST(GgufModel, FingerprintFollowsContentAndNotName) {
    testing::TemporaryFolder folder;
    fs::copy(fixture("small.gguf"), folder.path() / "renamed.gguf");
    const std::string original = ModelFolders().inspect(fixture("small.gguf"), {}).fingerprint;
    EXPECT_EQ(ModelFolders().inspect(folder.path() / "renamed.gguf", {}).fingerprint, original);
    // The same numbers in other files are another model.
    EXPECT_NE(ModelFolders().inspect(fixture("parts"), {}).fingerprint, original);
}

TEST(GgufParts, AnyPartOpensTheWhole) {
    EXPECT_EQ(ggufParts("/a/model-00002-of-00003.gguf"),
              (std::vector<fs::path>{"/a/model-00001-of-00003.gguf", "/a/model-00002-of-00003.gguf",
                                     "/a/model-00003-of-00003.gguf"}));
    for (const char* whole : {"/a/model.gguf", "/a/model-0001-of-0003.gguf", "/a/m-0000x-of-00003.gguf",
                              "/a/-00001-of-00002.gguf", "/a/sha256-00001-of-00002", "/a/m-00001-of-00000.gguf"}) {
        EXPECT_EQ(ggufParts(whole), std::vector<fs::path>{whole});
    }
    const ModelInfo info = ModelFolders().inspect(fixture("parts/small-00002-of-00002.gguf"), {});
    EXPECT_EQ(info.path, fixture("parts/small-00001-of-00002.gguf").string());
    EXPECT_EQ(info.name, "small");
}

TEST(GgufParts, AMissingOrForeignPartIsNamed) {
    testing::TemporaryFolder folder;
    const fs::path first = folder.path() / "small-00001-of-00002.gguf";
    fs::copy(fixture("parts/small-00001-of-00002.gguf"), first);
    EXPECT_THAT([&] { openGguf(first); },
                throwsEngineError(ErrorKind::UnreadableFile, "small-00002-of-00002.gguf: part 2 of 2 is missing"));
    fs::copy(fixture("small.gguf"), folder.path() / "small-00002-of-00002.gguf");
    EXPECT_THAT([&] { openGguf(first); },
                throwsEngineError(ErrorKind::UnreadableFile, "small-00002-of-00002.gguf: \"split.count\""));
    fs::copy(fixture("parts/small-00001-of-00002.gguf"), folder.path() / "renamed.gguf");
    EXPECT_THAT([&] { openGguf(folder.path() / "renamed.gguf"); },
                throwsEngineError(ErrorKind::UnreadableFile, "keep the names"));
}

TEST(GgufModel, ATensorThatIsMissingOrOfAnotherShapeIsNamedBeforeLoading) {
    testing::TemporaryFolder folder;
    std::string bytes = testing::readBytes(fixture("small.gguf"));
    const std::string name = "blk.0.ffn_gate.weight";
    const std::size_t at = bytes.find(name);
    ASSERT_NE(at, std::string::npos);
    bytes[at + 6] = 'x';
    folder.write("model.gguf", bytes);
    EXPECT_THAT([&] { ModelFolders().inspect(folder.path(), {}); },
                throwsEngineError(ErrorKind::UnreadableFile, "model.layers.0.mlp.gate_proj.weight is missing"));
    bytes[at + 6] = 'f';
    const std::uint64_t rows = 32;  // of 64
    std::memcpy(bytes.data() + at + name.size() + sizeof(std::uint32_t) + sizeof(std::uint64_t), &rows, sizeof rows);
    folder.write("model.gguf", bytes);
    EXPECT_THAT([&] { ModelFolders().inspect(folder.path(), {}); },
                throwsEngineError(ErrorKind::UnreadableFile, "is 32 × 32, the configuration asks for 64 × 32"));
}

}  // namespace
}  // namespace kvist
