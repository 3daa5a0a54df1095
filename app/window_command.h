// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "app/command_line.h"
#include "experiments/sweep_controller.h"

namespace kvist::app {

/// Shows the window until it is closed; a signal ends it, and what is running then is offered again at the next
/// start. Returns the exit code. Needs a QApplication.
int showWindow(const CommandLine& line, const experiments::ControllerOptions& options);

}  // namespace kvist::app
