// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace kvist::app {

/// The folder with demo model and texts: ../share/kvist beside the program's folder, in an installation as
/// in a build tree (there it is a link to the sources' resources/). Absolute, without links. Throws
/// EngineError(UnreadableFile) where it is missing. Needs a QCoreApplication.
std::string resourcesFolder();

}  // namespace kvist::app
