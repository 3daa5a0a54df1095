// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace kvist {

/// Physical memory of the machine, bytes.
std::int64_t totalMemory();

/// What a program can take without swapping, bytes (the kernel's MemAvailable, or the control group's room
/// where that is less).
std::int64_t availableMemory();

/// Bytes of the largest CPU cache; 0 where the system does not say.
std::int64_t lastLevelCache();

/// Largest resident set of this process since the last resetPeakMemory(), bytes.
std::int64_t peakMemory();

/// Starts peakMemory() afresh, where the kernel allows it.
void resetPeakMemory();

}  // namespace kvist
