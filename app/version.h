// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace kvist::app {

/// "0.1.0 (2a13739)": release, and the commit where it was built from a checkout ("+": with changes).
/// Written at every build by packaging/cmake/write_version.cmake.
const char* programVersion();

}  // namespace kvist::app
