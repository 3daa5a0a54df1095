// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/machine_probe.h"

#include <sched.h>
#include <torch/headeronly/version.h>

#include <fstream>
#include <string>

#include "engine/runtime/compute.h"
#include "engine/runtime/memory_probe.h"

namespace kvist {
namespace {

/// The value of a line "name : value" of /proc/cpuinfo.
std::string cpuFact(const std::string& name) {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        const auto colon = line.find(':');
        if (line.starts_with(name) && colon != std::string::npos && colon + 2 <= line.size()) {
            return line.substr(colon + 2);
        }
    }
    return {};
}

int usableCores() {
    cpu_set_t set;
    CPU_ZERO(&set);
    return ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

}  // namespace

MachineInfo probeMachine() {
    MachineInfo machine;
    machine.cpu = cpuFact("model name");
    if (machine.cpu.empty()) {
        machine.cpu = "unknown CPU";
    }
    machine.cores = usableCores();
    machine.memoryBytes = totalMemory();
    machine.availableBytes = availableMemory();
    machine.gpus = gpuNames();
    machine.libtorchVersion = std::to_string(TORCH_VERSION_MAJOR) + "." + std::to_string(TORCH_VERSION_MINOR) + "." +
                              std::to_string(TORCH_VERSION_PATCH);
    const std::string flags = cpuFact("flags");
    machine.hasFastBfloat16 =
        flags.find("avx512_bf16") != std::string::npos || flags.find("amx_bf16") != std::string::npos;
    return machine;
}

}  // namespace kvist
