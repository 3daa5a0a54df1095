// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace kvist {

/// The text with each longest invalid UTF-8 sequence replaced by U+FFFD, as Python's errors="replace" has it.
std::string replaceInvalidUtf8(std::string_view text);

/// The place of the first byte of an invalid sequence; the size where all is valid.
std::size_t firstInvalidUtf8(std::string_view text);

/// Whether Python's str.strip() would leave nothing of this valid UTF-8.
bool isBlank(std::string_view text);

}  // namespace kvist
