// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace kvist::experiments {

/// A Qwen2 model that another program has put on this machine.
struct LocalModel {
    std::string name;    ///< "Qwen/Qwen2.5-0.5B", "qwen2.5-coder:0.5b"
    std::string path;    ///< what ModelChoice::path takes
    std::string source;  ///< "Hugging Face", "Ollama" or "LM Studio"

    bool operator==(const LocalModel&) const = default;
};

/// Where other programs keep their models. Folders that are not there are passed over.
struct ModelStores {
    std::vector<std::string> huggingFace;  ///< holding "models--…"
    std::vector<std::string> ollama;       ///< holding "manifests" and "blobs"
    std::vector<std::string> lmStudio;     ///< holding publisher / model / *.gguf

    /// As the programs themselves find them: HF_HUB_CACHE, HF_HOME, XDG_CACHE_HOME, OLLAMA_MODELS and the home folder.
    static ModelStores ofThisUser();
};

/// The Qwen2 models of these stores by name within their source, at most 200. Reads manifests, configurations and the
/// first bytes of GGUF files, changes nothing and takes no error further: what cannot be read is left out.
std::vector<LocalModel> listLocalModels(const ModelStores& stores);

}  // namespace kvist::experiments
