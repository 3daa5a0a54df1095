// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace kvist {

/// The text of a file as UTF-8 without a byte-order mark. Read are UTF-8 with and without the mark, and UTF-16 of both
/// byte orders with it; anything else throws EngineError(UnreadableFile) with the place of the first byte that does
/// not fit and what to do.
std::string toUtf8(std::string_view bytes, const std::filesystem::path& source);

}  // namespace kvist
