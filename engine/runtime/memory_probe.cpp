// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/memory_probe.h"

#include <ATen/Context.h>
#include <c10/core/CachingDeviceAllocator.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace kvist {
namespace {

/// The number of a line "name 123"; 0 where there is none.
std::int64_t numberAfter(const char* file, const std::string& name) {
    std::ifstream lines(file);
    std::string word;
    while (lines >> word) {
        if (word == name) {
            std::int64_t number = 0;
            lines >> number;
            return number;
        }
        lines.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
    }
    return 0;
}

/// The figure of a line "Name:   123 kB" in bytes.
std::int64_t kernelFigure(const char* file, const std::string& name) {
    return numberAfter(file, name) * 1024;
}

/// Bytes that the control group leaves, files that are only cached not counted as taken; the largest number
/// where there is no limit.
std::int64_t controlGroupRoom() {
    std::int64_t limit = 0;
    std::int64_t used = 0;
    std::ifstream limitFile("/sys/fs/cgroup/memory.max");
    std::ifstream usedFile("/sys/fs/cgroup/memory.current");
    if (limitFile >> limit && usedFile >> used) {
        constexpr const char* kKinds = "/sys/fs/cgroup/memory.stat";
        const std::int64_t cached = numberAfter(kKinds, "inactive_file") + numberAfter(kKinds, "active_file");
        return std::max<std::int64_t>(0, limit - used + cached);
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

std::int64_t availableMemory(at::Device device) {
    if (device.is_cpu()) {
        return availableMemory();
    }
    try {
        at::globalContext().lazyInitDevice(device.type());
        c10::DeviceAllocator& allocator = *c10::getDeviceAllocator(device.type());
        const auto [free, total] = allocator.getMemoryInfo(device.index());
        constexpr auto kAll = static_cast<std::size_t>(c10::CachingAllocator::StatType::AGGREGATE);
        const auto stats = allocator.getDeviceStats(device.index());
        return static_cast<std::int64_t>(free) + stats.reserved_bytes[kAll].current -
               stats.allocated_bytes[kAll].current;
    } catch (const c10::Error&) {
        return std::numeric_limits<std::int64_t>::max();
    }
}

std::int64_t lastLevelCache() {
    const long level3 = ::sysconf(_SC_LEVEL3_CACHE_SIZE);
    return std::max(level3 > 0 ? level3 : ::sysconf(_SC_LEVEL2_CACHE_SIZE), 0L);
}

std::int64_t peakMemory() {
    return kernelFigure("/proc/self/status", "VmHWM:");
}

void resetPeakMemory() {
    std::ofstream("/proc/self/clear_refs") << "5";
}

}  // namespace kvist
