// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/command_line.h"

namespace kvist::app {

/// The composition root: makes the Qt application that the command needs, engine, controller and window, and
/// runs the command. Returns the exit code; throws nothing. Results go to standard output, everything else
/// to standard error.
int runCommand(const CommandLine& line, char* programName);

}  // namespace kvist::app
