// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/machine_info.h"

namespace kvist {

/// Facts about the machine that this process runs on.
MachineInfo probeMachine();

}  // namespace kvist
