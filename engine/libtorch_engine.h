// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "engine/api/engine.h"
#include "engine/model/model_folder.h"
#include "engine/model/model_loader.h"

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
    const LoadedModel& loaded(const ModelChoice& choice, RunObserver& observer, const std::stop_token& stop);
    RunResult measured(const RunConfig& given, RunObserver& observer, const std::stop_token& stop);

    const EngineOptions m_options;
    mutable ModelFolders m_folders;
    std::unique_ptr<const LoadedModel> m_model;
};

}  // namespace kvist
