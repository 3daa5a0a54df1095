// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

namespace kvist {

/// Throws EngineError(UnreadableFile) with "path: what".
[[noreturn]] void throwUnreadable(const std::filesystem::path& path, const std::string& what);

/// All bytes of a file. Throws EngineError(UnreadableFile).
std::string readBytes(const std::filesystem::path& path);

}  // namespace kvist
