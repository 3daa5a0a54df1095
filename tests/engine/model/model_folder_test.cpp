// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/model_folder.h"

#include <gtest/gtest.h>

#include "tests/engine/support/engine_error_matcher.h"
#include "tests/engine/support/golden_files.h"
#include "tests/engine/support/temporary_folder.h"

namespace kvist {
namespace {

namespace fs = std::filesystem;
using testing::throwsEngineError;

TEST(ModelFolders, FactsOfTheDemoModel) {
    const ModelInfo info = ModelFolders().inspect(testing::demoModel(), {});
    EXPECT_EQ(info.name, "demo_model");
    EXPECT_EQ(info.architecture, "Qwen2ForCausalLM");
    EXPECT_EQ(info.layers, 6);
    EXPECT_EQ(info.kvHeads, 2);
    EXPECT_EQ(info.headDim, 64);
    EXPECT_EQ(info.vocabularySize, 4096);
    EXPECT_TRUE(info.tiedEmbeddings);
    EXPECT_EQ(info.storedType, "bfloat16");
    EXPECT_EQ(info.tokenizer, "SentencePiece");
    EXPECT_EQ(info.weightBytes, 2 * info.parameters);
    EXPECT_EQ(info.kvBytesPerToken(2), 2 * 6 * 2 * 64 * 2);
    EXPECT_FALSE(info.fingerprint.empty());
}

TEST(ModelFolders, FingerprintFollowsTheContentAndNotThePlace) {
    testing::TemporaryFolder copy;
    for (const auto& entry : fs::directory_iterator(testing::tinyModel("untied"))) {
        fs::copy(entry.path(), copy.path());
    }
    ModelFolders folders;
    const std::string original = folders.inspect(testing::tinyModel("untied"), {}).fingerprint;
    EXPECT_EQ(folders.inspect(copy.path(), {}).fingerprint, original);

    std::string weights = testing::readBytes(copy.path() / "model.safetensors");
    weights.back() = static_cast<char>(weights.back() ^ 1);
    copy.write("model.safetensors", weights);
    const std::string changed = ModelFolders().inspect(copy.path(), {}).fingerprint;
    EXPECT_NE(changed, original);
    copy.write("chat_template.jinja", "{{ 'x' }}");  // decides what a chat model is asked
    EXPECT_NE(ModelFolders().inspect(copy.path(), {}).fingerprint, changed);
}

TEST(ModelFolders, NoFolderIsRefusedByName) {
    ModelFolders folders;
    EXPECT_THAT([&] { folders.inspect("/no/such/model", {}); },
                throwsEngineError(ErrorKind::UnreadableFile, "/no/such/model"));
    EXPECT_THAT([&] { folders.inspect(testing::demoModel() / "config.json", {}); },
                throwsEngineError(ErrorKind::UnreadableFile, "config.json"));
}

TEST(ModelFolders, AStopRequestEndsTheHashing) {
    std::stop_source stop;
    stop.request_stop();
    ModelFolders folders;
    EXPECT_THAT([&] { folders.inspect(testing::demoModel(), stop.get_token()); },
                throwsEngineError(ErrorKind::Cancelled, ""));
}

}  // namespace
}  // namespace kvist
