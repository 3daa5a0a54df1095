// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/command_line.h"

namespace kvist::app {

/// Fetches a model of the Hugging Face hub, with progress on standard error, and prints the path that --model takes.
/// Returns the exit status; needs a QCoreApplication.
int downloadModel(const CommandLine& line);

}  // namespace kvist::app
