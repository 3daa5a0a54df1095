// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "app/command_line.h"

namespace kvist::app {

/// Streams the continuation of the prompt to standard output as it comes. Returns the exit code. Needs a
/// QCoreApplication.
int generateText(const CommandLine& line, const std::string& resources);

}  // namespace kvist::app
