// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace kvist {

/// Throws EngineError(UnreadableFile) with "path: what".
[[noreturn]] void throwUnreadable(const std::filesystem::path& path, const std::string& what);

/// All bytes of a file. Throws EngineError(UnreadableFile).
std::string readBytes(const std::filesystem::path& path);

/// A JSON object in a file. Throws EngineError(UnreadableFile) that names file and place.
nlohmann::json readJsonObject(const std::filesystem::path& path);

}  // namespace kvist
