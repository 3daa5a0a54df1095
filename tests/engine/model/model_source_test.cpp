// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/model_source.h"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>

#include "engine/model/model_folder.h"
#include "tests/engine/support/engine_error_matcher.h"
#include "tests/engine/support/golden_files.h"
#include "tests/engine/support/temporary_folder.h"

namespace kvist {
namespace {

namespace fs = std::filesystem;
using testing::throwsEngineError;

fs::path smallGguf() {
    return testing::dataFolder() / "gguf" / "small.gguf";
}

class ModelSource : public ::testing::Test {
protected:
    void expectRefused(const fs::path& path, const std::string& message) {
        EXPECT_THAT([&] { locateModel(path); }, throwsEngineError(ErrorKind::UnreadableFile, path.string()));
        EXPECT_THAT([&] { locateModel(path); }, throwsEngineError(ErrorKind::UnreadableFile, message));
    }

    /// An entry of the Hugging Face cache as its library lays it out: files are links into blobs.
    fs::path addSnapshot(const fs::path& repository, const std::string& commit, const fs::path& source) {
        const fs::path snapshot = repository / "snapshots" / commit;
        fs::create_directories(snapshot);
        fs::create_directories(repository / "blobs");
        for (const auto& entry : fs::directory_iterator(source)) {
            const fs::path blob = repository / "blobs" / (commit + entry.path().filename().string());
            fs::copy(entry.path(), blob);
            fs::create_symlink(fs::path("../../blobs") / blob.filename(), snapshot / entry.path().filename());
        }
        return snapshot;
    }

    testing::TemporaryFolder m_folder;
    fs::path m_root = fs::canonical(m_folder.path());
};

TEST_F(ModelSource, FoldersWithAConfigurationAreTakenAsTheyAre) {
    EXPECT_EQ(locateModel(testing::tinyModel("untied")), fs::canonical(testing::tinyModel("untied")));
    EXPECT_EQ(locateModel(testing::tinyModel("untied") / ".." / "float16"),
              fs::canonical(testing::tinyModel("float16")));
    EXPECT_EQ(modelName(locateModel(testing::tinyModel("untied"))), "untied");
}

TEST_F(ModelSource, AFolderOfOneGgufModelIsThatModel) {
    fs::copy(smallGguf(), m_root / "Qwen2.5-small.Q8_0.gguf");
    EXPECT_EQ(locateModel(m_root), m_root / "Qwen2.5-small.Q8_0.gguf");
    EXPECT_EQ(modelName(locateModel(m_root)), "Qwen2.5-small.Q8_0");
    fs::copy(smallGguf(), m_root / "other.gguf");
    expectRefused(m_root, "Qwen2.5-small.Q8_0.gguf, other.gguf");
    EXPECT_EQ(locateModel(testing::dataFolder() / "gguf" / "parts").filename(), "small-00001-of-00002.gguf");
}

TEST_F(ModelSource, AGgufFileWithoutItsEndingIsKnownByItsContent) {
    fs::copy(smallGguf(), m_root / "sha256-0123");
    EXPECT_EQ(locateModel(m_root / "sha256-0123"), m_root / "sha256-0123");
    EXPECT_EQ(modelName(m_root / "sha256-0123"), "Small");
}

TEST_F(ModelSource, ACacheEntryOpensTheSnapshotOfMain) {
    const fs::path repository = m_root / "models--Qwen--Qwen2.5-Tiny";
    addSnapshot(repository, "aaaa", testing::tinyModel("float16"));
    const fs::path main = addSnapshot(repository, "bbbb", testing::tinyModel("untied"));
    fs::create_directories(repository / "refs");
    std::ofstream(repository / "refs" / "main") << "bbbb";
    EXPECT_EQ(locateModel(repository), main);
    EXPECT_EQ(locateModel(main), main);
    EXPECT_EQ(modelName(main), "Qwen2.5-Tiny");
    fs::copy(testing::dataFolder() / "tokenizer" / "small" / "tokenizer.json", main);
    const ModelInfo info = ModelFolders().inspect(repository, {});
    EXPECT_EQ(info.name, "Qwen2.5-Tiny");
    EXPECT_EQ(info.vocabularySize, 128);

    fs::remove_all(repository / "refs");
    fs::last_write_time(repository / "snapshots" / "aaaa", fs::file_time_type::clock::now() + std::chrono::hours(1));
    EXPECT_EQ(locateModel(repository).filename(), "aaaa");
}

TEST_F(ModelSource, AGgufLinkInTheCacheKeepsItsName) {
    const fs::path repository = m_root / "models--Qwen--Qwen2.5-Tiny-GGUF";
    const fs::path snapshot = addSnapshot(repository, "cccc", testing::dataFolder() / "gguf" / "parts");
    EXPECT_EQ(locateModel(repository), snapshot / "small-00001-of-00002.gguf");
    EXPECT_NO_THROW(ModelFolders().inspect(repository, {}));
}

TEST_F(ModelSource, WhatIsNoModelSaysWhatItIs) {
    expectRefused(m_root, "neither config.json nor a GGUF file");
    expectRefused(m_root / "nowhere", "No such file");
    expectRefused(testing::tinyModel("untied") / "model.safetensors", "a safetensors file; choose the folder");
    expectRefused(testing::tinyModel("untied") / "config.json", "a JSON file");
    expectRefused(m_folder.write("text.txt", "words"), "no kind that Kvist knows");
    fs::create_directories(m_root / "models--A--B");
    expectRefused(m_root / "models--A--B", "without a snapshot");
}

}  // namespace
}  // namespace kvist
