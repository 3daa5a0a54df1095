// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include "engine/api/dtype.h"
#include "engine/api/engine_error.h"
#include "engine/api/generation_request.h"
#include "engine/api/machine_info.h"
#include "engine/api/model_info.h"
#include "engine/api/run_config.h"
#include "engine/api/run_observer.h"
#include "engine/api/run_result.h"

namespace kvist {

/// Runs measurements on one loaded model. Holds no state of a run: after an error or a stop the next run
/// starts afresh. One thread at a time, except inspect() and machine(), which any thread may call.
/// Throws nothing but EngineError; a stop request gives EngineError(Cancelled) within a second.
class Engine {
public:
    virtual ~Engine() = default;

    virtual MachineInfo machine() const = 0;

    /// Reads and checks a model folder without loading it; hashes every file once and remembers the hash
    /// while path, size and time of the files stay the same.
    virtual ModelInfo inspect(const std::string& path, std::stop_token stop = {}) const = 0;

    /// Loads the model unless it is loaded in this way already; frees the previous one first.
    virtual ModelInfo load(const ModelChoice& choice, RunObserver& observer, std::stop_token stop) = 0;

    /// Loads the model where needed, runs, and returns what was measured.
    virtual RunResult run(const RunConfig& config, RunObserver& observer, std::stop_token stop) = 0;

    /// Streams the continuation to `emit` as complete UTF-8 pieces.
    virtual void generate(const GenerationRequest& request, const std::function<void(std::string_view)>& emit,
                          RunObserver& observer, std::stop_token stop) = 0;
};

/// What an engine finds beside the models.
struct EngineOptions {
    std::string cacheFolder;      ///< where files made from models are kept; empty: none are kept
    std::string calibrationText;  ///< the text that policies are calibrated with; empty: those that need one fail
};

/// The libtorch engine.
std::unique_ptr<Engine> makeEngine(const EngineOptions& options = {});

}  // namespace kvist
