// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <c10/core/Device.h>

#include <cstdint>

namespace kvist {

/// Physical memory of the machine, bytes.
std::int64_t totalMemory();

/// What a program can take without swapping, bytes (the kernel's MemAvailable, or the control group's room
/// where that is less).
std::int64_t availableMemory();

/// What a program can take of a device's memory, bytes. Of a GPU: what is free, and what libtorch holds unused; the
/// largest number where libtorch does not say.
std::int64_t availableMemory(at::Device device);

/// Bytes of the largest CPU cache; 0 where the system does not say.
std::int64_t lastLevelCache();

/// Largest resident set of this process since the last resetPeakMemory(), bytes.
std::int64_t peakMemory();

/// Starts peakMemory() afresh, where the kernel allows it.
void resetPeakMemory();

}  // namespace kvist
