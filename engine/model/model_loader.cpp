// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/model_loader.h"

#include "engine/api/engine_error.h"
#include "engine/model/weights.h"
#include "engine/runtime/memory_probe.h"
#include "engine/runtime/stop.h"

namespace kvist {
namespace {

std::string mebibytes(std::int64_t bytes) {
    return std::to_string(bytes >> 20) + " MiB";
}

void checkMemory(const ModelInfo& info, const Compute& compute) {
    const std::int64_t needed = info.parameters * static_cast<std::int64_t>(c10::elementSize(compute.type));
    const std::int64_t available = availableMemory();
    if (compute.device.is_cpu() && needed > available) {
        throw EngineError(ErrorKind::OutOfMemory, info.path + ": the weights take " + mebibytes(needed) + " as " +
                                                      dtypeName(compute.type) + ", " + mebibytes(available) +
                                                      " are free; choose a 16-bit type or a smaller model, or close "
                                                      "other programs");
    }
}

}  // namespace

std::unique_ptr<LoadedModel> loadModel(const ModelInfo& info, const Compute& compute, RunObserver& observer,
                                       std::stop_token stop) {
    observer.onPhase(RunPhase::Loading);
    checkMemory(info, compute);
    auto model = std::make_unique<LoadedModel>();
    model->info = info;
    model->compute = compute;
    model->tokenizer = openTokenizer(info.path);

    Weights weights(info.path);
    const std::int64_t total = weights.bytes();
    std::int64_t done = 0;
    weights.onCopied([&](std::int64_t bytes) {
        throwIfStopped(stop);
        done += bytes;
        observer.onProgress(done, total);
    });
    const auto options = at::TensorOptions(compute.type).device(compute.device);
    model->decoder = std::make_unique<const Decoder>(readModelConfig(info.path), weights, options, stop);
    if (model->tokenizer->vocabularySize() > info.vocabularySize) {
        throw EngineError(ErrorKind::UnreadableFile, info.path + ": the tokenizer has " +
                                                         std::to_string(model->tokenizer->vocabularySize()) +
                                                         " tokens, the weights " + std::to_string(info.vocabularySize) +
                                                         "; they do not belong together");
    }
    return model;
}

}  // namespace kvist
