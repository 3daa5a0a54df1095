// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/libtorch_engine.h"

#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <new>

#include "engine/api/evaluation_catalog.h"
#include "engine/api/policy_catalog.h"
#include "engine/checked_config.h"
#include "engine/evaluate/evaluator.h"
#include "engine/evaluate/text_feed.h"
#include "engine/policies/policy_factory.h"
#include "engine/policies/store_factory.h"
#include "engine/runtime/machine_probe.h"
#include "engine/runtime/memory_probe.h"
#include "engine/runtime/stopwatch.h"
#include "engine/session/session.h"
#include "engine/session/session_memory.h"
#include "engine/session/text_generator.h"
#include "engine/text/chat_template.h"

namespace kvist {
namespace {

bool speaksOfMemory(const std::string& message) {
    return message.find("alloc") != std::string::npos || message.find("out of memory") != std::string::npos;
}

/// Calls a function and lets nothing but EngineError out.
template <typename Function>
auto translated(Function function) {
    try {
        return function();
    } catch (const EngineError&) {
        throw;
    } catch (const c10::Error& error) {
        const std::string message = error.what_without_backtrace();
        throw EngineError(
            speaksOfMemory(message) ? ErrorKind::OutOfMemory : ErrorKind::Internal,
            speaksOfMemory(message)
                ? "out of memory; choose a smaller context, budget or model, or a 16-bit type (" + message + ")"
                : message);
    } catch (const std::bad_alloc&) {
        throw EngineError(ErrorKind::OutOfMemory,
                          "out of memory; choose a smaller context, budget or model, or a 16-bit type");
    } catch (const std::exception& error) {
        throw EngineError(ErrorKind::Internal, error.what());
    }
}

/// Most tokens that go through a layer together: a text goes in segments, depths are filled without the decoder, and
/// other evaluations feed their whole prompt.
std::int64_t tokensTogether(const EvaluationInfo& evaluation, std::int64_t longest) {
    if (evaluation.usesDepths) {
        return 1;
    }
    return evaluation.usesScore ? std::min(longest, TextFeed::kSegment) : longest;
}

/// True where all tokens are held at some time: as a prompt, or to compare with the full cache.
bool holdsEverything(const RunConfig& config) {
    return holdsPrompt(config) || config.evaluation == "drift" ||
           evaluationParameter(config, "divergence") == ParameterValue(true);
}

/// The prompt as the model is to read it.
std::string promptText(const GenerationRequest& request, const LoadedModel& model, RunObserver& observer) {
    if (!request.isChat) {
        return request.prompt;
    }
    const auto chat = readChatTemplate(model.info.path);
    if (!chat) {
        observer.onNote(kNoChatTemplate);
        return request.prompt;
    }
    return chat->render({{"user", request.prompt}});
}

}  // namespace

std::unique_ptr<Engine> makeEngine(const EngineOptions& options) {
    return std::make_unique<LibtorchEngine>(options);
}

LibtorchEngine::LibtorchEngine(const EngineOptions& options)
    : m_options(options), m_calibrations(options.cacheFolder, options.calibrationText) {}

std::string LibtorchEngine::calibrate(PruningPolicy& policy, const LoadedModel& model, const std::string& measured,
                                      RunObserver& observer, const std::stop_token& stop) {
    const auto request = policy.calibration();
    if (!request) {
        return {};
    }
    const Calibration& calibration = m_calibrations.obtain(model, *request, measured, observer, stop);
    policy.calibrate(calibration);
    return m_calibrations.noteOf(calibration);
}

MachineInfo LibtorchEngine::machine() const {
    return translated([] { return probeMachine(); });
}

ModelInfo LibtorchEngine::inspect(const std::string& path, std::stop_token stop) const {
    return translated([&] { return m_folders.inspect(path, stop); });
}

bool LibtorchEngine::holds(const ModelInfo& info, const Compute& compute) const {
    return m_model && m_model->info.path == info.path && m_model->info.fingerprint == info.fingerprint &&
           m_model->compute == compute;
}

void LibtorchEngine::requireRoom(MemoryPlan plan, const ModelInfo& info, const Compute& compute) const {
    std::int64_t available = availableMemory(compute.device);
    if (holds(info, compute)) {
        plan.weights = 0;
    } else if (m_model && m_model->compute.device == compute.device) {  // which goes first
        available += planMemory(m_model->info, m_model->compute, 0, 0).weights;
    }
    checkMemory(plan, info, compute, available);
}

const LoadedModel& LibtorchEngine::loaded(const ModelChoice& choice, const Planner& plan, RunObserver& observer,
                                          const std::stop_token& stop) {
    const ModelInfo info = m_folders.inspect(choice.path, stop);
    const Compute compute = resolveCompute(choice, info, probeMachine());
    at::set_num_threads(compute.threads);
    requireRoom(plan(info, compute), info, compute);
    if (!holds(info, compute)) {
        m_model.reset();
        m_model = loadModel(info, compute, observer, stop);
    }
    return *m_model;
}

ModelInfo LibtorchEngine::load(const ModelChoice& choice, RunObserver& observer, std::stop_token stop) {
    return translated([&] {
        const c10::InferenceMode inference;
        const auto plan = [](const ModelInfo& info, const Compute& compute) { return planMemory(info, compute, 0, 1); };
        return loaded(choice, plan, observer, stop).info;
    });
}

RunResult LibtorchEngine::run(const RunConfig& config, RunObserver& observer, std::stop_token stop) {
    return translated([&] {
        const c10::InferenceMode inference;
        return measured(config, observer, stop);
    });
}

RunResult LibtorchEngine::measured(const RunConfig& given, RunObserver& observer, const std::stop_token& stop) {
    const RunConfig config = checkedConfig(given);
    const auto policy = makePolicy(config);
    const SessionOptions options{
        .budget = config.budget,
        .longest = contextTokens(config),
        .protocol = holdsEverything(config) ? SessionProtocol::PrefillThenDecode : SessionProtocol::Streamed};
    const auto plan = [&](const ModelInfo& info, const Compute& compute) {
        return planSession(info, compute, *policy, options,
                           tokensTogether(evaluationInfo(config.evaluation), options.longest));
    };
    const LoadedModel& model = loaded(config.model, plan, observer, stop);
    const std::string calibration = calibrate(*policy, model, config.text.file, observer, stop);
    const auto evaluator = makeEvaluator(config.evaluation, m_options.cacheFolder);

    resetPeakMemory();
    const Stopwatch watch;
    RunResult result = evaluator->evaluate(model, *policy, config, observer, stop);
    result.metrics["seconds"] = watch.seconds();
    if (!calibration.empty()) {
        result.notes.push_back(calibration);
    }

    const MachineInfo machine = probeMachine();
    result.modelFingerprint = model.info.fingerprint;
    result.tokenizer = model.tokenizer->name();
    result.device = model.compute.device.is_cpu() ? "cpu" : machine.gpus.front();
    result.dtype = dtypeName(model.compute);
    result.threads = model.compute.threads;
    result.machine = machine.summary();
    result.libtorchVersion = machine.libtorchVersion;
    return result;
}

void LibtorchEngine::generate(const GenerationRequest& request, const std::function<void(std::string_view)>& emit,
                              RunObserver& observer, std::stop_token stop) {
    translated([&] {
        const c10::InferenceMode inference;
        checkBudget(request.policy, request.policyParameters, request.budget);
        const auto weightsAlone = [](const ModelInfo& info, const Compute& compute) {
            return planMemory(info, compute, 0, 1);
        };
        const LoadedModel& model = loaded(request.model, weightsAlone, observer, stop);
        const auto policy = makePolicy(request.policy, request.policyParameters, request.seed);
        if (!request.store.empty()) {
            storeInfo(request.store, request.policy);
            policy->setStore(makeStore(request.store, request.storeParameters, request.seed));
        }
        calibrate(*policy, model, {}, observer, stop);
        const auto prompt = model.tokenizer->encode(promptText(request, model, observer));
        const SessionOptions options{
            .budget = request.budget,
            .chunk = request.chunk,
            .longest = static_cast<std::int64_t>(prompt.size()) + request.tokens,
            .protocol = policy->needsPrompt() ? SessionProtocol::PrefillThenDecode : SessionProtocol::Streamed,
            .tokenizer = model.tokenizer.get()};
        requireRoom(planSession(model.info, model.compute, *policy, options, options.longest), model.info,
                    model.compute);
        Session session(*model.decoder, *policy, options);
        observer.onPhase(RunPhase::Filling);
        TextGenerator(session, *model.tokenizer).generate(prompt, request.tokens, emit, stop);
    });
}

}  // namespace kvist
