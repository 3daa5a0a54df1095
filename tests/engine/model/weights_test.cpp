// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/weights.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <limits>

#include "engine/model/decoder.h"
#include "tests/engine/support/engine_error_matcher.h"
#include "tests/engine/support/golden_files.h"
#include "tests/engine/support/safetensors_writer.h"
#include "tests/engine/support/temporary_folder.h"

namespace kvist {
namespace {

namespace fs = std::filesystem;
using testing::SafetensorsParts;
using testing::tensorEntry;
using testing::throwsEngineError;

/// A copy of a tiny model, to be broken in one way; loading it must name what is wrong.
class BrokenWeights : public ::testing::Test {
protected:
    void copy(const std::string& model) {
        for (const auto& entry : fs::directory_iterator(testing::tinyModel(model))) {
            fs::copy(entry.path(), m_folder.path());
        }
    }

    void change(const std::function<void(SafetensorsParts&)>& how) {
        SafetensorsParts parts(testing::readBytes(m_folder.path() / "model.safetensors"));
        how(parts);
        m_folder.write("model.safetensors", parts.bytes());
    }

    void load() const {
        const ModelConfig config = readModelConfig(m_folder.path());
        Decoder decoder(config, Weights(m_folder.path()), at::TensorOptions(at::kFloat));
    }

    void expectRefused(const std::string& message) const {
        EXPECT_THAT([&] { load(); }, throwsEngineError(ErrorKind::UnreadableFile, m_folder.path().string()));
        EXPECT_THAT([&] { load(); }, throwsEngineError(ErrorKind::UnreadableFile, message));
    }

    testing::TemporaryFolder m_folder;
};

TEST_F(BrokenWeights, UnbrokenOnesLoad) {
    for (const char* model : {"untied", "tied_sharded", "bfloat16_seven", "float16"}) {
        testing::TemporaryFolder empty;
        EXPECT_NO_THROW(Decoder(readModelConfig(testing::tinyModel(model)), Weights(testing::tinyModel(model)),
                                at::TensorOptions(at::kFloat)));
    }
}

TEST_F(BrokenWeights, AMissingTensorIsNamed) {
    copy("untied");
    change([](SafetensorsParts& parts) { parts.header.erase("model.layers.1.self_attn.k_proj.bias"); });
    expectRefused("model.layers.1.self_attn.k_proj.bias");
}

TEST_F(BrokenWeights, AMissingOutputMatrixOfAnUntiedModelIsNamed) {
    copy("untied");
    change([](SafetensorsParts& parts) { parts.header.erase("lm_head.weight"); });
    expectRefused("lm_head.weight");
}

TEST_F(BrokenWeights, AWrongShapeIsNamedWithBothShapes) {
    copy("untied");
    change([](SafetensorsParts& parts) {
        parts.header["model.layers.2.mlp.down_proj.weight"]["shape"] = {64, 48};  // transposed
    });
    expectRefused("model.layers.2.mlp.down_proj.weight");
    expectRefused("64 × 48");
    expectRefused("48 × 64");
}

TEST_F(BrokenWeights, ATypeThatIsNotFloatingPointIsRefused) {
    copy("untied");
    change([](SafetensorsParts& parts) { parts.header["model.norm.weight"]["dtype"] = "I32"; });
    expectRefused("model.norm.weight");
}

TEST_F(BrokenWeights, NanAndInfinityAreRefused) {
    for (const float value : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        testing::TemporaryFolder other;
        for (const auto& entry : fs::directory_iterator(testing::tinyModel("untied"))) {
            fs::copy(entry.path(), m_folder.path(), fs::copy_options::overwrite_existing);
        }
        change([&](SafetensorsParts& parts) {
            parts.overwrite("model.layers.0.mlp.up_proj.weight", &value, sizeof value);
        });
        expectRefused("model.layers.0.mlp.up_proj.weight");
    }
}

TEST_F(BrokenWeights, AMissingShardIsNamed) {
    copy("tied_sharded");
    fs::remove(m_folder.path() / "model-00002-of-00002.safetensors");
    expectRefused("model-00002-of-00002.safetensors");
}

TEST_F(BrokenWeights, AShardWhoseNameNoFileCanHaveIsMissing) {
    copy("tied_sharded");
    const std::string name = std::string(300, 'm') + ".safetensors";
    m_folder.write("model.safetensors.index.json", R"({"weight_map": {"a": ")" + name + R"("}})");
    expectRefused("this shard is missing");
}

TEST_F(BrokenWeights, AnIndexThatLeavesTheFolderIsRefused) {
    copy("tied_sharded");
    for (const char* index :
         {R"({"weight_map": {"a": "../model-00001-of-00002.safetensors"}})", R"({"weight_map": {"a": 7}})",
          R"({"weight_map": {"a": "/etc/passwd"}})", R"({"weight_map": 7})", R"({})"}) {
        m_folder.write("model.safetensors.index.json", index);
        SCOPED_TRACE(index);
        expectRefused("model.safetensors.index.json");
    }
}

TEST_F(BrokenWeights, AFolderWithoutWeightsSaysWhatWasLookedFor) {
    copy("untied");
    fs::remove(m_folder.path() / "model.safetensors");
    expectRefused("model.safetensors");
}

TEST(Weights, CountsBytesParametersAndTheStoredType) {
    const Weights tied(testing::tinyModel("tied_sharded"));
    EXPECT_EQ(tied.parameters(), 18720);  // as the index file says
    EXPECT_EQ(tied.bytes(), 74880);
    EXPECT_EQ(tied.storedType(), "float32");
    EXPECT_EQ(tied.files().size(), 2u);
    EXPECT_EQ(Weights(testing::tinyModel("bfloat16_seven")).storedType(), "bfloat16");
    EXPECT_EQ(Weights(testing::tinyModel("float16")).storedType(), "float16");
}

TEST(Weights, DataThatAreNotAlignedAreReadAllTheSame) {
    testing::TemporaryFolder folder;
    std::string data = "x";
    const float values[] = {1.5F, -2.25F};
    data.append(reinterpret_cast<const char*>(values), sizeof values);
    folder.write("model.safetensors",
                 testing::safetensorsBytes(
                     {{"odd", tensorEntry("U8", {1}, 0, 1)}, {"values", tensorEntry("F32", {2}, 1, 9)}}, data));
    const at::Tensor read = at::empty({2}, at::kFloat);
    Weights(folder.path()).copyTo("values", read);
    EXPECT_EQ(read[0].item<float>(), 1.5F);
    EXPECT_EQ(read[1].item<float>(), -2.25F);
}

}  // namespace
}  // namespace kvist
