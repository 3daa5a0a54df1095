// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <stop_token>

#include "engine/api/model_info.h"
#include "engine/api/run_observer.h"
#include "engine/model/decoder.h"
#include "engine/runtime/compute.h"
#include "engine/text/text_reader.h"
#include "engine/text/tokenizer.h"

namespace kvist {

/// A model ready to run. Immutable.
struct LoadedModel {
    ModelInfo info;
    Compute compute;
    std::unique_ptr<const Decoder> decoder;
    std::unique_ptr<const Tokenizer> tokenizer;
    std::unique_ptr<TextReader> texts;  ///< of this tokenizer; only remembers
};

/// Loads decoder and tokenizer of a model; reports stored bytes. Whether it fits is for planMemory() to say before.
/// Throws what Weights, Decoder and openTokenizer throw, and EngineError(UnreadableFile) before any weights are read
/// where the tokenizer has more tokens than the embedding rows.
std::unique_ptr<LoadedModel> loadModel(const ModelInfo& info, const Compute& compute, RunObserver& observer,
                                       std::stop_token stop);

}  // namespace kvist
