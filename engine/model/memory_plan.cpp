// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/memory_plan.h"

#include <algorithm>

#include "engine/api/engine_error.h"

namespace kvist {
namespace {

/// A block of logits in float32, its exponentials, and the same in the computing type.
constexpr std::int64_t kBytesPerLogit = 3 * 4;

std::string mebibytes(std::int64_t bytes) {
    return std::to_string((bytes + (1 << 20) - 1) >> 20) + " MiB";
}

/// In 8 bits the embedding stays as it is, and tied embeddings become a matrix of their own.
std::int64_t weightBytes(const ModelInfo& model, const Compute& compute) {
    const auto element = static_cast<std::int64_t>(c10::elementSize(compute.type));
    if (!compute.eightBitWeights) {
        return model.parameters * element;
    }
    const std::int64_t embedding = model.vocabularySize * model.hiddenSize;
    const std::int64_t matrices = model.parameters - (model.tiedEmbeddings ? 0 : embedding);
    return embedding * element + matrices;
}

}  // namespace

MemoryPlan planMemory(const ModelInfo& model, const Compute& compute, std::int64_t entries, std::int64_t together) {
    const auto element = static_cast<std::int64_t>(c10::elementSize(compute.type));
    const std::int64_t projections = (2 * model.queryHeads + 2 * model.kvHeads) * model.headDim;
    // The residual stream, its norm and a sum; beside them either attention or the two halves of the feed-forward part
    // and their product.
    const std::int64_t perToken = 4 * model.hiddenSize + std::max(projections, 3 * model.intermediateSize);
    const std::int64_t logits = kBytesPerLogit * std::min(kLogitBlockElements, together * model.vocabularySize);
    return {weightBytes(model, compute), entries * 2 * model.kvHeads * model.headDim * element,
            together * perToken * element + logits};
}

void checkMemory(const MemoryPlan& plan, const ModelInfo& model, const Compute& compute, std::int64_t available) {
    if (plan.total() <= available) {
        return;
    }
    const std::string weights = plan.weights > 0 ? "weights " + mebibytes(plan.weights) + ", " : "";
    throw EngineError(ErrorKind::OutOfMemory,
                      model.path + ": in " + dtypeName(compute) + " this takes " + mebibytes(plan.total()) + " (" +
                          weights + "cache " + mebibytes(plan.cache) + ", buffers " + mebibytes(plan.buffers) + "), " +
                          mebibytes(std::max<std::int64_t>(0, available)) +
                          " are free; choose a 16-bit type, a smaller model, context or budget, or close other "
                          "programs");
}

}  // namespace kvist
