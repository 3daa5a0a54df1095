// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace kvist {

/// True where two text files share a line of at least 80 bytes, as parts of the same book do. Throws
/// EngineError(UnreadableFile).
bool shareLines(const std::string& file, const std::string& other);

}  // namespace kvist
