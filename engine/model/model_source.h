// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

namespace kvist {

/// What a path that a user gave stands for: a folder with config.json, or the first file of a GGUF model. Takes
/// * such a folder, or one that holds a single GGUF model and no config.json;
/// * a GGUF file, whatever its name, and any part of a split one;
/// * an entry of the Hugging Face cache ("models--Qwen--Qwen2.5-0.5B"), of which the snapshot of "main" is taken.
/// Throws EngineError(UnreadableFile) that says what else the path is and what to choose.
std::filesystem::path locateModel(const std::filesystem::path& given);

/// A short name for what locateModel() gave: the folder's, the repository's for a snapshot of the cache, the GGUF
/// file's without its ending and part numbers.
std::string modelName(const std::filesystem::path& located);

}  // namespace kvist
