// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kvist {

/// Byte-level vocabularies write each byte as one printable character: printable Latin-1 as itself, the others
/// as U+0100 and up in their order (GPT-2's table). Gives the bytes that `symbols` (UTF-8) stands for; nothing
/// where a character is none of the 256.
std::optional<std::string> bytesOfSymbols(std::string_view symbols);

}  // namespace kvist
