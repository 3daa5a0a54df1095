// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "engine/api/engine.h"

namespace kvist::test {

/// What a fake engine does besides answering.
struct FakeBehaviour {
    std::chrono::milliseconds stepTime{0};                                 ///< pause of every chunk and decode step
    std::chrono::milliseconds inspectTime{0};                              ///< pause of inspect()
    std::function<void(const RunConfig&)> beforeRun = {};                  ///< may throw: the run fails that way
    std::function<void(const RunConfig&, std::int64_t done)> onStep = {};  ///< after each chunk or step; may throw
    int gpus = 0;
};

/// An engine without a model: any existing folder is a small Qwen2.5, results follow from the configuration alone
/// (smaller budgets are worse, deeper caches slower) and come with curves, per-token NLLs and step times. Looks at
/// the stop token at least every 5 ms.
class FakeEngine : public Engine {
public:
    explicit FakeEngine(FakeBehaviour behaviour = {}) : m_behaviour(std::move(behaviour)) {}

    MachineInfo machine() const override;
    ModelInfo inspect(const std::string& path, std::stop_token stop) const override;
    ModelInfo load(const ModelChoice& choice, RunObserver& observer, std::stop_token stop) override;
    RunResult run(const RunConfig& config, RunObserver& observer, std::stop_token stop) override;
    void generate(const GenerationRequest& request, const std::function<void(std::string_view)>& emit,
                  RunObserver& observer, std::stop_token stop) override;

private:
    void step(const RunConfig& config, std::int64_t done, std::stop_token stop) const;
    void score(const RunConfig& config, RunResult& result, RunObserver& observer, std::stop_token stop) const;
    void ask(const RunConfig& config, RunResult& result, RunObserver& observer, std::stop_token stop) const;
    void time(const RunConfig& config, RunResult& result, RunObserver& observer, std::stop_token stop) const;

    const FakeBehaviour m_behaviour;
};

/// For ControllerOptions::makeEngine.
std::function<std::unique_ptr<Engine>()> fakeEngineFactory(FakeBehaviour behaviour = {});

}  // namespace kvist::test
