// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

namespace kvist {

/// What a file is by its first bytes, whatever its name says.
enum class FileKind { Gguf, Safetensors, Other };

/// Throws EngineError(UnreadableFile) where the file cannot be read.
FileKind fileKind(const std::filesystem::path& path);

/// For messages about a file of the wrong kind: "a safetensors file", "a PyTorch checkpoint (zip archive)", "empty",
/// "of no kind that Kvist knows". Throws as fileKind().
std::string describeFile(const std::filesystem::path& path);

}  // namespace kvist
