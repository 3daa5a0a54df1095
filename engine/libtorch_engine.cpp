// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/libtorch_engine.h"

#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <new>

#include "engine/api/evaluation_catalog.h"
#include "engine/api/policy_catalog.h"
#include "engine/evaluate/evaluator.h"
#include "engine/policies/policy_factory.h"
#include "engine/runtime/machine_probe.h"
#include "engine/runtime/memory_probe.h"
#include "engine/runtime/stopwatch.h"
#include "engine/session/session.h"
#include "engine/session/text_generator.h"

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

/// Refuses a cache that would make the system kill the program.
void checkCacheMemory(const LoadedModel& model, const PruningPolicy& policy, const SessionOptions& options) {
    const std::int64_t heads = model.decoder->config().kvHeads;
    const std::int64_t bound = policy.layerBound(options.budget, heads).value_or(options.longest * heads) / heads;
    const bool isWhole = options.protocol == SessionProtocol::PrefillThenDecode;
    const std::int64_t entries = isWhole ? options.longest : std::min(options.longest, bound);
    const std::int64_t element = static_cast<std::int64_t>(c10::elementSize(model.compute.type));
    const std::int64_t needed = entries * model.info.kvBytesPerToken(static_cast<int>(element));
    const std::int64_t available = availableMemory();
    if (model.compute.device.is_cpu() && needed > available) {
        throw EngineError(ErrorKind::OutOfMemory,
                          "a cache of " + std::to_string(entries) + " entries takes " + std::to_string(needed >> 20) +
                              " MiB, " + std::to_string(available >> 20) +
                              " MiB are free; choose a smaller context or budget, or a 16-bit type");
    }
}

void require(bool isRight, const std::string& message) {
    if (!isRight) {
        throw EngineError(ErrorKind::InvalidInput, message);
    }
}

/// The configuration with defaults filled in, or an error that names what cannot be run.
RunConfig checked(const RunConfig& given) {
    RunConfig config = given;
    const EvaluationInfo& evaluation = evaluationInfo(config.evaluation);
    config.policyParameters =
        completed(policyInfo(config.policy).parameters, config.policyParameters, "policy " + config.policy);
    config.evaluationParameters =
        completed(evaluation.parameters, config.evaluationParameters, "evaluation " + config.evaluation);
    checkBudget(config.policy, config.policyParameters, config.budget);
    require(config.chunk >= 1, "chunk " + std::to_string(config.chunk) + ": expected at least one token");
    if (evaluation.usesContexts) {
        require(config.warm >= 0, "warm " + std::to_string(config.warm) + ": expected 0 or more tokens");
        require(!evaluation.usesScore || config.score >= 1,
                "score " + std::to_string(config.score) + ": expected at least one token");
    }
    if (evaluation.usesDepths) {
        require(config.depth >= 1, "depth " + std::to_string(config.depth) + ": expected at least one token");
    }
    return config;
}

}  // namespace

std::unique_ptr<Engine> makeEngine(const EngineOptions& options) {
    return std::make_unique<LibtorchEngine>(options);
}

LibtorchEngine::LibtorchEngine(const EngineOptions& options) : m_options(options) {}

MachineInfo LibtorchEngine::machine() const {
    return translated([] { return probeMachine(); });
}

ModelInfo LibtorchEngine::inspect(const std::string& path, std::stop_token stop) const {
    return translated([&] { return m_folders.inspect(path, stop); });
}

const LoadedModel& LibtorchEngine::loaded(const ModelChoice& choice, RunObserver& observer,
                                          const std::stop_token& stop) {
    const ModelInfo info = m_folders.inspect(choice.path, stop);
    const Compute compute = resolveCompute(choice, info, probeMachine());
    at::set_num_threads(compute.threads);
    const bool isThere = m_model && m_model->info.path == info.path && m_model->info.fingerprint == info.fingerprint &&
                         m_model->compute == compute;
    if (!isThere) {
        m_model.reset();
        m_model = loadModel(info, compute, observer, stop);
    }
    return *m_model;
}

ModelInfo LibtorchEngine::load(const ModelChoice& choice, RunObserver& observer, std::stop_token stop) {
    return translated([&] {
        const c10::InferenceMode inference;
        return loaded(choice, observer, stop).info;
    });
}

RunResult LibtorchEngine::run(const RunConfig& config, RunObserver& observer, std::stop_token stop) {
    return translated([&] {
        const c10::InferenceMode inference;
        return measured(config, observer, stop);
    });
}

RunResult LibtorchEngine::measured(const RunConfig& given, RunObserver& observer, const std::stop_token& stop) {
    const RunConfig config = checked(given);
    const LoadedModel& model = loaded(config.model, observer, stop);
    const auto policy = makePolicy(config.policy, config.policyParameters, config.seed);
    const auto evaluator = makeEvaluator(config.evaluation);
    checkCacheMemory(model, *policy, config.budget, contextTokens(config));

    resetPeakMemory();
    const Stopwatch watch;
    RunResult result = evaluator->evaluate(model, *policy, config, observer, stop);
    result.metrics["seconds"] = watch.seconds();

    const MachineInfo machine = probeMachine();
    result.modelFingerprint = model.info.fingerprint;
    result.tokenizer = model.tokenizer->name();
    result.device = model.compute.device.is_cpu() ? "cpu" : machine.gpus.front();
    result.dtype = dtypeName(model.compute.type);
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
        const LoadedModel& model = loaded(request.model, observer, stop);
        const auto policy = makePolicy(request.policy, request.policyParameters);
        const auto prompt = model.tokenizer->encode(request.prompt);
        const std::int64_t longest = static_cast<std::int64_t>(prompt.size()) + request.tokens;
        checkCacheMemory(model, *policy, request.budget, longest);
        Session session(*model.decoder, *policy,
                        {.budget = request.budget, .chunk = request.chunk, .longest = longest});
        observer.onPhase(RunPhase::Filling);
        TextGenerator(session, *model.tokenizer).generate(prompt, request.tokens, emit, stop);
    });
}

}  // namespace kvist
