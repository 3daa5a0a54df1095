// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace kvist::app {

/// Looks before anything is measured whether the file that an option names can be written afterwards; an empty path is
/// none. Throws EngineError(InvalidInput) that names option, path and remedy.
void checkOutputFile(const std::string& option, const std::string& path);

/// The same for a folder, which is made where it is missing.
void makeOutputFolder(const std::string& option, const std::string& path);

}  // namespace kvist::app
