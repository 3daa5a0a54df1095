// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/model_folder.h"

#include <algorithm>
#include <vector>

#include "engine/model/model_config.h"
#include "engine/model/model_source.h"
#include "engine/model/tensor_check.h"
#include "engine/model/weights.h"
#include "engine/runtime/content_hash.h"
#include "engine/runtime/mapped_file.h"
#include "engine/runtime/stop.h"
#include "engine/text/tokenizer.h"

namespace kvist {
namespace {

namespace fs = std::filesystem;

/// Everything that decides about results: weights, configuration, tokenizer. A GGUF file holds all three.
std::vector<fs::path> decidingFiles(const fs::path& model, const Weights& weights) {
    std::vector<fs::path> files = weights.files();
    if (!fs::is_directory(model)) {
        return files;
    }
    for (const char* name : {"config.json", "tokenizer.model", "tokenizer.json", "tokenizer_config.json", "vocab.json",
                             "merges.txt", "added_tokens.json", "chat_template.jinja"}) {
        if (fs::exists(model / name)) {
            files.push_back(model / name);
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

/// Changes when a file is replaced, without reading it.
std::string stampOf(const std::vector<fs::path>& files) {
    std::string stamp;
    for (const fs::path& file : files) {
        stamp += file.string() + '|' + std::to_string(fs::file_size(file)) + '|' +
                 std::to_string(fs::last_write_time(file).time_since_epoch().count()) + '\n';
    }
    return stamp;
}

/// Of the contents, and of the names where they say what a file is: GGUF files may be renamed.
std::string hashOf(const std::vector<fs::path>& files, bool countsNames, const std::stop_token& stop) {
    constexpr std::size_t kBlock = std::size_t{64} << 20;
    ContentHash hash;
    for (const fs::path& path : files) {
        hash.addText(countsNames ? path.filename().string() : "gguf");
        const MappedFile file(path);
        for (std::size_t at = 0; at < file.bytes().size(); at += kBlock) {
            throwIfStopped(stop);
            hash.add(file.bytes().subspan(at, std::min(kBlock, file.bytes().size() - at)));
        }
    }
    return hash.digest();
}

}  // namespace

ModelInfo ModelFolders::inspect(const fs::path& given, std::stop_token stop) {
    const fs::path model = locateModel(given);
    const ModelConfig config = readModelConfig(model);
    const Weights weights(model);
    checkTensors(config, weights);

    ModelInfo info;
    info.path = model.string();
    info.name = modelName(model);
    info.architecture = config.architecture;
    info.layers = config.layers;
    info.queryHeads = config.queryHeads;
    info.kvHeads = config.kvHeads;
    info.headDim = config.headDim;
    info.hiddenSize = config.hiddenSize;
    info.intermediateSize = config.intermediateSize;
    info.vocabularySize = config.vocabularySize;
    info.maxPositions = config.maxPositions;
    info.tiedEmbeddings = config.tiedEmbeddings;
    info.parameters = weights.parameters();
    info.weightBytes = weights.bytes();
    info.storedType = weights.storedType();

    const std::vector<fs::path> files = decidingFiles(model, weights);
    const std::string stamp = stampOf(files);
    {
        const std::lock_guard lock(m_mutex);
        const auto known = m_fingerprints.find(stamp);
        if (known != m_fingerprints.end()) {
            info.fingerprint = known->second;
        }
    }
    if (info.fingerprint.empty()) {
        info.fingerprint = hashOf(files, fs::is_directory(model), stop);
        const std::lock_guard lock(m_mutex);
        m_fingerprints[stamp] = info.fingerprint;
    }
    info.tokenizer = fs::exists(model / "tokenizer.model") ? "SentencePiece" : "byte-level BPE";
    return info;
}

}  // namespace kvist
