// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/model_loader.h"

#include <gtest/gtest.h>

#include "engine/model/model_folder.h"
#include "tests/engine/support/engine_error_matcher.h"
#include "tests/engine/support/golden_files.h"
#include "tests/engine/support/recording_observer.h"
#include "tests/engine/support/temporary_folder.h"

namespace kvist {
namespace {

namespace fs = std::filesystem;
using testing::throwsEngineError;

class ModelLoader : public ::testing::Test {
protected:
    void SetUp() override {
        for (const auto& entry : fs::directory_iterator(testing::tinyModel("untied"))) {
            fs::copy(entry.path(), m_folder.path());
        }
    }

    void load() {
        loadModel(ModelFolders().inspect(m_folder.path(), {}), {.device = at::kCPU, .type = at::kFloat, .threads = 1},
                  m_observer, {});
    }

    testing::TemporaryFolder m_folder;
    testing::RecordingObserver m_observer;
};

TEST_F(ModelLoader, AMissingTokenizerSaysWhatWasLookedFor) {
    EXPECT_THAT([&] { load(); }, throwsEngineError(ErrorKind::UnreadableFile, "tokenizer.json"));
    EXPECT_TRUE(m_observer.progress.empty());
}

TEST_F(ModelLoader, ATokenizerOfAnotherModelIsRefusedBeforeAnythingIsLoaded) {
    fs::copy(testing::dataFolder() / "tokenizer" / "small" / "tokenizer.json", m_folder.path());
    EXPECT_THAT([&] { load(); },
                throwsEngineError(ErrorKind::UnreadableFile, "the weights 128; they do not belong together"));
    EXPECT_TRUE(m_observer.progress.empty());
}

}  // namespace
}  // namespace kvist
