// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <c10/core/Device.h>
#include <c10/core/ScalarType.h>

#include <string>
#include <vector>

#include "engine/api/machine_info.h"
#include "engine/api/model_info.h"
#include "engine/api/run_config.h"

namespace kvist {

/// Where and in which type a model runs, with every "auto" resolved.
struct Compute {
    at::Device device = at::kCPU;
    at::ScalarType type = at::kFloat;  ///< of activations and cache, and of the weights unless
    bool eightBitWeights = false;      ///< they are held in 8 bits with a scale a row
    int threads = 1;

    bool operator==(const Compute&) const = default;
};

/// Throws EngineError(Device) where the device is not there and EngineError(InvalidInput) for unknown words.
Compute resolveCompute(const ModelChoice& choice, const ModelInfo& model, const MachineInfo& machine);

/// Names of the CUDA devices that libtorch can use; empty without a GPU or without the CUDA libraries.
std::vector<std::string> gpuNames();

/// "bfloat16" and the like, as in ModelChoice::dtype.
std::string dtypeName(at::ScalarType type);
std::string dtypeName(const Compute& compute);

}  // namespace kvist
