// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>

#include "engine/api/engine.h"
#include "engine/model/memory_plan.h"
#include "engine/model/model_folder.h"
#include "engine/model/model_loader.h"
#include "engine/policies/calibration/calibration_store.h"
#include "engine/policies/pruning_policy.h"

namespace kvist {

/// The engine over libtorch: holds one loaded model between runs and turns every exception of the libraries
/// below into EngineError.
class LibtorchEngine : public Engine {
public:
    explicit LibtorchEngine(const EngineOptions& options);

    MachineInfo machine() const override;
    ModelInfo inspect(const std::string& path, std::stop_token stop) const override;
    ModelInfo load(const ModelChoice& choice, RunObserver& observer, std::stop_token stop) override;
    RunResult run(const RunConfig& config, RunObserver& observer, std::stop_token stop) override;
    void generate(const GenerationRequest& request, const std::function<void(std::string_view)>& emit,
                  RunObserver& observer, std::stop_token stop) override;

private:
    /// What a run needs with a model in a type, for the check before anything is loaded.
    using Planner = std::function<MemoryPlan(const ModelInfo&, const Compute&)>;

    bool holds(const ModelInfo& info, const Compute& compute) const;
    /// Throws EngineError(OutOfMemory) where the device has not as much as the plan says. Weights that are loaded need
    /// no more room, and those of another model make room.
    void requireRoom(MemoryPlan plan, const ModelInfo& info, const Compute& compute) const;
    const LoadedModel& loaded(const ModelChoice& choice, const Planner& plan, RunObserver& observer,
                              const std::stop_token& stop);
    /// Gives a policy what it must know of the model and returns the note for the result; empty where it asks for
    /// nothing. `measured`: the text that will be measured, or empty.
    std::string calibrate(PruningPolicy& policy, const LoadedModel& model, const std::string& measured,
                          RunObserver& observer, const std::stop_token& stop);
    RunResult measured(const RunConfig& given, RunObserver& observer, const std::stop_token& stop);

    const EngineOptions m_options;
    mutable ModelFolders m_folders;
    std::unique_ptr<const LoadedModel> m_model;
    CalibrationStore m_calibrations;
};

}  // namespace kvist
