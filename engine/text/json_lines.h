// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace kvist {

/// The texts in a field of JSON objects, one object a line, parted by a blank line; blank lines between objects are
/// skipped. Throws EngineError(UnreadableFile) with the line that is no object or has no such text, and with the texts
/// that it has.
std::string textOfJsonLines(std::string_view lines, const std::string& field, const std::filesystem::path& source);

}  // namespace kvist
