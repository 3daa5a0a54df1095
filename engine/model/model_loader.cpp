// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/model_loader.h"

#include <malloc.h>

#include "engine/model/weights.h"
#include "engine/runtime/file_bytes.h"
#include "engine/runtime/stop.h"

namespace kvist {

std::unique_ptr<LoadedModel> loadModel(const ModelInfo& info, const Compute& compute, RunObserver& observer,
                                       std::stop_token stop) {
    observer.onPhase(RunPhase::Loading);
    auto model = std::make_unique<LoadedModel>();
    model->info = info;
    model->compute = compute;
    model->tokenizer = openTokenizer(info.path);
    model->texts = std::make_unique<TextReader>(*model->tokenizer);
    if (model->tokenizer->vocabularySize() > info.vocabularySize) {
        throwUnreadable(info.path, "the tokenizer has " + std::to_string(model->tokenizer->vocabularySize()) +
                                       " tokens, the weights " + std::to_string(info.vocabularySize) +
                                       "; they do not belong together");
    }

    Weights weights(info.path);
    const std::int64_t total = weights.bytes();
    std::int64_t done = 0;
    weights.onCopied([&](std::int64_t bytes) {
        throwIfStopped(stop);
        done += bytes;
        observer.onProgress(done, total);
    });
    const WeightForm form(at::TensorOptions(compute.type).device(compute.device), compute.eightBitWeights);
    model->decoder = std::make_unique<const Decoder>(readModelConfig(info.path), weights, form, stop);
    malloc_trim(0);  // what reading the files took goes back to the system
    return model;
}

}  // namespace kvist
