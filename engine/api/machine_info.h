// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kvist {

/// The machine that results were measured on.
struct MachineInfo {
    std::string cpu;                  ///< model name
    int cores = 0;                    ///< logical cores this process may use
    std::int64_t memoryBytes = 0;     ///< physical memory
    std::int64_t availableBytes = 0;  ///< free for a new program now
    std::vector<std::string> gpus;    ///< names; empty without a usable GPU
    std::string libtorchVersion;
    bool hasFastBfloat16 = false;  ///< CPU with bfloat16 instructions

    /// "Intel(R) Xeon(R) Processor, 2 cores" — stored with each run.
    std::string summary() const;
};

}  // namespace kvist
