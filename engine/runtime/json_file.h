// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

namespace kvist {

/// Parses a JSON file whose top level is an object. Throws EngineError(UnreadableFile) with file, line and
/// column where it is missing, malformed or something else.
nlohmann::json readJsonObject(const std::filesystem::path& path);

}  // namespace kvist
