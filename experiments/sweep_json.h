// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiments/json_object.h"
#include "experiments/sweep.h"

namespace kvist::experiments {

/// The sweep that the top object of a sweep file describes. Throws RefusedInput.
Sweep sweepOf(const JsonObject& json);

}  // namespace kvist::experiments
