// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/compute.h"

#include <ATen/Context.h>
#include <ATen/detail/CUDAHooksInterface.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <utility>

#include "engine/api/dtype.h"
#include "engine/api/engine_error.h"
#include "engine/runtime/torch_cuda.h"

namespace kvist {
namespace {

constexpr std::array<std::pair<const char*, at::ScalarType>, 4> kTypes = {
    {{"float32", at::kFloat}, {"bfloat16", at::kBFloat16}, {"float16", at::kHalf}, {"float64", at::kDouble}}};

at::ScalarType typeOf(const std::string& name) {
    for (const auto& [known, type] : kTypes) {
        if (name == known) {
            return type;
        }
    }
    elementSize(name);  // refuses it with the names that are known
    throw EngineError(ErrorKind::Internal, "dtype " + name + " has no type");
}

/// The driver's "Model:" line.
std::string modelName(const std::filesystem::path& information) {
    std::ifstream file(information);
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("Model:")) {
            return line.substr(std::min(line.size(), line.find_first_not_of(" \t", 6)));
        }
    }
    return "CUDA device";
}

}  // namespace

std::vector<std::string> gpuNames() {
    if (!loadTorchCuda() || !at::hasCUDA()) {
        return {};
    }
    const int count = at::detail::getCUDAHooks().deviceCount();
    std::vector<std::string> names;
    std::error_code missing;
    for (const auto& card : std::filesystem::directory_iterator("/proc/driver/nvidia/gpus", missing)) {
        names.push_back(modelName(card.path() / "information"));
    }
    names.resize(static_cast<std::size_t>(std::max(count, 0)), "CUDA device");
    return names;
}

std::string dtypeName(at::ScalarType type) {
    for (const auto& [name, known] : kTypes) {
        if (type == known) {
            return name;
        }
    }
    throw EngineError(ErrorKind::Internal, "a tensor of an unexpected type");
}

std::string dtypeName(const Compute& compute) {
    return compute.eightBitWeights ? kEightBitWeights : dtypeName(compute.type);
}

Compute resolveCompute(const ModelChoice& choice, const ModelInfo& model, const MachineInfo& machine) {
    if (choice.device != "auto" && choice.device != "cpu" && choice.device != "cuda") {
        throw EngineError(ErrorKind::InvalidInput, "device " + choice.device + ": expected auto, cpu or cuda");
    }
    if (choice.device == "cuda" && machine.gpus.empty()) {
        throw EngineError(ErrorKind::Device,
                          "device cuda: libtorch finds no usable GPU here; choose cpu or auto, or install the driver "
                          "and run packaging/setup.sh --cuda");
    }
    Compute compute;
    compute.device = usesCuda(choice, machine) ? at::Device(at::kCUDA, 0) : at::Device(at::kCPU);
    const std::string dtype = resolvedDtype(choice, model, machine);
    compute.eightBitWeights = dtype == kEightBitWeights;
    if (compute.eightBitWeights && !compute.device.is_cpu()) {
        throw EngineError(ErrorKind::InvalidInput,
                          std::string("dtype ") + kEightBitWeights + " runs on the CPU; choose cpu or a 16-bit type");
    }
    compute.type = compute.eightBitWeights ? at::kBFloat16 : typeOf(dtype);
    compute.threads = choice.threads > 0 ? std::min(choice.threads, kMostThreads) : machine.cores;
    return compute;
}

}  // namespace kvist
