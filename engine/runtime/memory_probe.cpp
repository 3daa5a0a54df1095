// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/memory_probe.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace kvist {
namespace {

/// The figure of a line "Name:   123 kB" in bytes; 0 where there is none.
std::int64_t kernelFigure(const char* file, const std::string& name) {
    std::ifstream lines(file);
    std::string word;
    while (lines >> word) {
        if (word == name) {
            std::int64_t kibibytes = 0;
            lines >> kibibytes;
            return kibibytes * 1024;
        }
        lines.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
    }
    return 0;
}

/// Bytes that the control group leaves; the largest number where there is no limit.
std::int64_t controlGroupRoom() {
    std::int64_t limit = 0;
    std::int64_t used = 0;
    std::ifstream limitFile("/sys/fs/cgroup/memory.max");
    std::ifstream usedFile("/sys/fs/cgroup/memory.current");
    if (limitFile >> limit && usedFile >> used) {
        return std::max<std::int64_t>(0, limit - used);
    }
    return std::numeric_limits<std::int64_t>::max();
}

}  // namespace

std::int64_t totalMemory() {
    return kernelFigure("/proc/meminfo", "MemTotal:");
}

std::int64_t availableMemory() {
    return std::min(kernelFigure("/proc/meminfo", "MemAvailable:"), controlGroupRoom());
}

std::int64_t peakMemory() {
    return kernelFigure("/proc/self/status", "VmHWM:");
}

void resetPeakMemory() {
    std::ofstream("/proc/self/clear_refs") << "5";
}

}  // namespace kvist
