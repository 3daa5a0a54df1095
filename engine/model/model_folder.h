// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <stop_token>
#include <string>

#include "engine/api/model_info.h"

namespace kvist {

/// Facts about models in folders and GGUF files. Hashing gigabytes takes seconds, so a fingerprint is remembered while
/// path, size and time of a model's files stay the same. Any thread may call it.
class ModelFolders {
public:
    /// Reads configuration, headers and every byte once, and checks that all tensors are there in the right shape.
    /// Throws EngineError as locateModel, readModelConfig, Weights and checkTensors do, and EngineError(Cancelled)
    /// within 64 MiB of a stop request.
    ModelInfo inspect(const std::filesystem::path& given, std::stop_token stop);

private:
    std::mutex m_mutex;
    std::map<std::string, std::string> m_fingerprints;  // by path, size and time of the files
};

}  // namespace kvist
