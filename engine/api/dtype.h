// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/api/machine_info.h"
#include "engine/api/model_info.h"
#include "engine/api/run_config.h"

namespace kvist {

/// Matrices of products in 8 bits with a scale a row, all else, the cache too, in bfloat16.
inline constexpr const char* kEightBitWeights = "int8";

/// The types that a model can be held in, as in ModelChoice::dtype; "auto" is none of them.
const std::vector<std::string>& dtypes();

/// Bytes of one element of the cache under a type named as in ModelChoice::dtype. Throws EngineError(InvalidInput) for
/// "auto" and unknown names.
int elementSize(const std::string& dtype);

/// True where `choice` means the GPU on this machine.
bool usesCuda(const ModelChoice& choice, const MachineInfo& machine);

/// The type that `choice` stands for with this model on this machine, before anything is loaded. "auto" is the
/// stored type on a GPU; on a CPU it is bfloat16 where the CPU has instructions for it, else float32.
std::string resolvedDtype(const ModelChoice& choice, const ModelInfo& model, const MachineInfo& machine);

}  // namespace kvist
