// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "app/command_line.h"

namespace kvist::app {

/// One perplexity run without a sweep file; prints one JSON object. Returns the exit code. Needs a
/// QCoreApplication.
int scoreText(const CommandLine& line, const std::string& resources);

}  // namespace kvist::app
