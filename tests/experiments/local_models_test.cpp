// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/local_models.h"

#include <gtest/gtest.h>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

namespace kvist::experiments {
namespace {

const std::string kDigits(64, 'a');

class LocalModels : public ::testing::Test {
protected:
    void write(const QString& name, const QByteArray& bytes) {
        const QString path = m_folder.filePath(name);
        ASSERT_TRUE(QDir().mkpath(QFileInfo(path).path()));
        QFile file(path);
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(bytes);
    }

    /// The start of a GGUF file of this architecture: version 3, no tensors, one value.
    static QByteArray gguf(const QByteArray& architecture) {
        QByteArray bytes("GGUF\3\0\0\0", 8);
        bytes += QByteArray(8, '\0') + QByteArray("\1\0\0\0\0\0\0\0", 8);
        bytes += QByteArray("\24\0\0\0\0\0\0\0", 8) + "general.architecture" + QByteArray("\10\0\0\0", 4);
        return bytes + static_cast<char>(architecture.size()) + QByteArray(7, '\0') + architecture;
    }

    std::string path(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)).toStdString(); }

    std::vector<LocalModel> list() const {
        return listLocalModels({.huggingFace = {path("hub"), path("nowhere")},
                                .ollama = {path("ollama")},
                                .lmStudio = {path("lmstudio")}});
    }

    QTemporaryDir m_folder;
};

TEST_F(LocalModels, NothingThereIsAnEmptyList) {
    EXPECT_TRUE(list().empty());
}

TEST_F(LocalModels, HuggingFaceEntriesByTheirConfiguration) {
    write("hub/models--Qwen--Qwen2.5-0.5B/snapshots/abc/config.json", R"({"model_type": "qwen2"})");
    write("hub/models--Qwen--Qwen2.5-0.5B/snapshots/abc/model.safetensors", "");
    write("hub/models--Qwen--Qwen2.5-7B/snapshots/abc/config.json", R"({"model_type": "qwen2"})");  // no weights
    write("hub/models--meta--Llama/snapshots/abc/config.json", R"({"model_type": "llama"})");
    write("hub/models--meta--Llama/snapshots/abc/model.safetensors", "");
    write("hub/models--Qwen--Broken/snapshots/abc/config.json", "{");
    write("hub/models--Qwen--GGUF/snapshots/abc/q4-00001-of-00002.gguf", gguf("qwen2"));
    write("hub/models--Qwen--GGUF/snapshots/abc/q4-00002-of-00002.gguf", gguf("qwen2"));
    EXPECT_EQ(list(), (std::vector<LocalModel>{
                          {"Qwen/GGUF/q4-00001-of-00002",
                           path("hub/models--Qwen--GGUF/snapshots/abc/q4-00001-of-00002.gguf"), "Hugging Face"},
                          {"Qwen/Qwen2.5-0.5B", path("hub/models--Qwen--Qwen2.5-0.5B"), "Hugging Face"}}));
}

TEST_F(LocalModels, OllamaManifestsLeadToTheBlob) {
    const QByteArray digits = QByteArray::fromStdString(kDigits);
    const auto manifest = [&](const QByteArray& config, const QByteArray& model) {
        return R"({"config": {"digest": "sha256:)" + config +
               R"("}, "layers": [{"mediaType": "application/vnd.ollama.image.license", "digest": "sha256:)" + digits +
               R"("}, {"mediaType": "application/vnd.ollama.image.model", "digest": "sha256:)" + model + R"("}]})";
    };
    QByteArray other = digits;
    other[0] = 'b';
    write("ollama/blobs/sha256-" + digits, R"({"model_family": "qwen2"})");
    write("ollama/blobs/sha256-" + other, gguf("qwen2"));
    const QString library = "ollama/manifests/registry.ollama.ai/library/";
    write(library + "qwen2.5-coder/0.5b", manifest(digits, other));
    write("ollama/manifests/registry.ollama.ai/someone/mine/latest", manifest(digits, other));
    write("ollama/manifests/hf.co/Qwen/GGUF/Q4_K_M", manifest(digits, other));
    write(library + "llama/latest", manifest(other, other));                // no configuration of Qwen2
    write(library + "gone/latest", manifest(digits, QByteArray(64, 'c')));  // a blob that is not there
    write(library + "evil/latest", manifest(digits, "../../../etc/passwd"));
    const std::string blob = path("ollama/blobs/sha256-") + other.toStdString();
    EXPECT_EQ(list(), (std::vector<LocalModel>{{"hf.co/Qwen/GGUF:Q4_K_M", blob, "Ollama"},
                                               {"qwen2.5-coder:0.5b", blob, "Ollama"},
                                               {"someone/mine:latest", blob, "Ollama"}}));
}

TEST_F(LocalModels, LmStudioFilesByTheirArchitecture) {
    write("lmstudio/Qwen/Qwen2.5-0.5B-GGUF/qwen2.5-q8.gguf", gguf("qwen2"));
    write("lmstudio/Qwen/Qwen3-GGUF/qwen3.gguf", gguf("qwen3"));
    write("lmstudio/Qwen/Cut/cut.gguf", gguf("qwen2").left(40));
    write("lmstudio/Qwen/Text/readme.gguf", "words");
    EXPECT_EQ(list(), (std::vector<LocalModel>{
                          {"Qwen/qwen2.5-q8", path("lmstudio/Qwen/Qwen2.5-0.5B-GGUF/qwen2.5-q8.gguf"), "LM Studio"}}));
}

TEST_F(LocalModels, StoresAreFoundAsTheProgramsFindThem) {
    qputenv("HF_HOME", "/data/hf");
    qputenv("OLLAMA_MODELS", "/data/ollama");
    EXPECT_EQ(ModelStores::ofThisUser().huggingFace, std::vector<std::string>{"/data/hf/hub"});
    EXPECT_EQ(ModelStores::ofThisUser().ollama.front(), "/data/ollama");
    qputenv("HF_HUB_CACHE", "/data/cache");
    EXPECT_EQ(ModelStores::ofThisUser().huggingFace, std::vector<std::string>{"/data/cache"});
    qunsetenv("HF_HUB_CACHE");
    qunsetenv("HF_HOME");
    qputenv("XDG_CACHE_HOME", "/data/xdg");
    EXPECT_EQ(ModelStores::ofThisUser().huggingFace, std::vector<std::string>{"/data/xdg/huggingface/hub"});
    qunsetenv("XDG_CACHE_HOME");
    qunsetenv("OLLAMA_MODELS");
}

}  // namespace
}  // namespace kvist::experiments
