// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "engine/model/yarn_scaling.h"

namespace kvist {

/// The numbers of a Qwen2 / Qwen2.5 decoder, from config.json or the metadata of a GGUF file.
struct ModelConfig {
    std::string architecture;
    std::int64_t layers = 0;
    std::int64_t queryHeads = 0;
    std::int64_t kvHeads = 0;
    std::int64_t headDim = 0;
    std::int64_t hiddenSize = 0;
    std::int64_t intermediateSize = 0;
    std::int64_t vocabularySize = 0;
    std::int64_t maxPositions = 0;  ///< with YaRN, those that the scaling reaches
    double ropeTheta = 10000.0;
    std::optional<YarnScaling> yarn = std::nullopt;
    double rmsNormEps = 1e-6;
    bool tiedEmbeddings = false;
    std::string storedType;                 ///< "torch_dtype" or "dtype" of the file; may be empty
    std::optional<std::int64_t> endOfText;  ///< "eos_token_id"

    bool operator==(const ModelConfig&) const = default;
};

/// Reads and checks config.json of a model folder, or the metadata of a GGUF file where `model` is no folder. Throws
/// EngineError(UnreadableFile) naming the key for missing or senseless values, and EngineError(UnsupportedModel) by
/// name for other architectures, for sliding-window layers and for rope scaling other than YaRN.
ModelConfig readModelConfig(const std::filesystem::path& model);

}  // namespace kvist
