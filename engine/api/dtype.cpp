// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/dtype.h"

#include "engine/api/engine_error.h"

namespace kvist {

const std::vector<std::string>& dtypes() {
    static const std::vector<std::string> names = {"float32", "bfloat16", "float16", "float64", kEightBitWeights};
    return names;
}

int elementSize(const std::string& dtype) {
    if (dtype == "bfloat16" || dtype == "float16" || dtype == kEightBitWeights) {
        return 2;
    }
    if (dtype == "float32") {
        return 4;
    }
    if (dtype == "float64") {
        return 8;
    }
    std::string known = "auto";
    for (const std::string& name : dtypes()) {
        known += (name == dtypes().back() ? " or " : ", ") + name;
    }
    throw EngineError(ErrorKind::InvalidInput, "dtype " + dtype + ": expected " + known);
}

bool usesCuda(const ModelChoice& choice, const MachineInfo& machine) {
    return choice.device == "cuda" || (choice.device == "auto" && !machine.gpus.empty());
}

std::string resolvedDtype(const ModelChoice& choice, const ModelInfo& model, const MachineInfo& machine) {
    if (choice.dtype != "auto") {
        elementSize(choice.dtype);
        return choice.dtype;
    }
    if (usesCuda(choice, machine)) {
        return model.storedType == "bfloat16" ? "bfloat16" : "float16";
    }
    return machine.hasFastBfloat16 && model.storedType != "float32" ? "bfloat16" : "float32";
}

}  // namespace kvist
