// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "engine/api/run_config.h"

namespace kvist {

/// Texts are held in memory whole.
inline constexpr std::uintmax_t kMostTextBytes = std::uintmax_t{1} << 30;

/// The bytes of a text file. Throws EngineError(UnreadableFile), also beyond kMostTextBytes.
std::string readTextBytes(const std::string& file);

/// The text that the bytes of text.file stand for, as UTF-8 with "\n" alone as the end of a line: see toUtf8(). Of a
/// .jsonl file, the texts in the chosen field, parted by a blank line. Throws EngineError(UnreadableFile) that names
/// file and place, and EngineError(InvalidInput) where a field is chosen for another kind of file.
std::string textOf(const std::string& bytes, const TextChoice& text);

}  // namespace kvist
