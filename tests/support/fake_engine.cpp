// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/fake_engine.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <thread>

#include "engine/api/evaluation_catalog.h"
#include "engine/api/statistics.h"

namespace kvist::test {
namespace {

void pause(std::chrono::milliseconds time, std::stop_token stop) {
    const auto end = std::chrono::steady_clock::now() + time;
    do {
        if (stop.stop_requested()) {
            throw EngineError(ErrorKind::Cancelled, "stopped");
        }
        const auto left = end - std::chrono::steady_clock::now();
        if (left > left.zero()) {
            std::this_thread::sleep_for(
                std::min<std::chrono::steady_clock::duration>(left, std::chrono::milliseconds(5)));
        }
    } while (std::chrono::steady_clock::now() < end);
}

std::int64_t heldOf(const RunConfig& config, std::int64_t seen) {
    return config.budget > 0 ? std::min(config.budget, seen) : seen;
}

/// Worse with a smaller budget, and different for each policy.
double penaltyOf(const RunConfig& config) {
    if (config.budget == 0) {
        return 0;
    }
    return (config.policy == "window" ? 8.0 : 6.0) / std::sqrt(static_cast<double>(config.budget));
}

/// Repeats itself for the same argument; in 0 … 1.
double noise(double seed) {
    const double value = std::sin(seed * 12.9898) * 43758.5453;
    return value - std::floor(value);
}

}  // namespace

MachineInfo FakeEngine::machine() const {
    MachineInfo machine;
    machine.cpu = "Fake CPU";
    machine.cores = 2;
    machine.memoryBytes = std::int64_t{8} << 30;
    machine.availableBytes = std::int64_t{6} << 30;
    machine.gpus.assign(static_cast<std::size_t>(m_behaviour.gpus), "Fake GPU");
    machine.libtorchVersion = "0.0-fake";
    return machine;
}

ModelInfo FakeEngine::inspect(const std::string& path, std::stop_token stop) const {
    if (!std::filesystem::is_directory(path)) {
        throw EngineError(ErrorKind::UnreadableFile, path + " is not a model folder");
    }
    pause(m_behaviour.inspectTime, stop);
    ModelInfo model;
    model.path = path;
    model.name = std::filesystem::path(path).filename().string();
    model.architecture = "Qwen2ForCausalLM";
    model.layers = 4;
    model.queryHeads = 4;
    model.kvHeads = 2;
    model.headDim = 64;
    model.hiddenSize = 256;
    model.intermediateSize = 768;
    model.vocabularySize = 4096;
    model.maxPositions = 4096;
    model.parameters = 5'500'000;
    model.weightBytes = 11'000'000;
    model.storedType = "bfloat16";
    model.tokenizer = "SentencePiece";
    model.fingerprint = "fake-" + model.name;
    return model;
}

ModelInfo FakeEngine::load(const ModelChoice& choice, RunObserver& observer, std::stop_token stop) {
    observer.onPhase(RunPhase::Loading);
    observer.onProgress(1, 1);
    return inspect(choice.path, stop);
}

RunResult FakeEngine::run(const RunConfig& config, RunObserver& observer, std::stop_token stop) {
    const auto start = std::chrono::steady_clock::now();
    if (m_behaviour.beforeRun) {
        m_behaviour.beforeRun(config);
    }
    const ModelInfo model = load(config.model, observer, stop);
    RunResult result;
    if (config.evaluation == "speed") {
        time(config, result, observer, stop);
    } else if (config.evaluation == "retrieval") {
        ask(config, result, observer, stop);
    } else {
        score(config, result, observer, stop);
    }
    const std::int64_t held = heldOf(config, contextTokens(config));
    const auto payload = static_cast<double>(held * model.kvBytesPerToken(4));
    result.metrics["kv_payload_bytes"] = payload;
    result.metrics["kv_payload_peak_bytes"] = payload;
    result.metrics["kv_metadata_bytes"] = static_cast<double>(held * 32);
    result.metrics["seconds"] = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    result.modelFingerprint = model.fingerprint;
    result.tokenizer = model.tokenizer;
    result.device = "cpu";
    result.dtype = config.model.dtype;
    result.threads = config.model.threads;
    result.runner = "in order";
    result.machine = machine().summary();
    result.libtorchVersion = machine().libtorchVersion;
    return result;
}

void FakeEngine::generate(const GenerationRequest& request, const std::function<void(std::string_view)>& emit,
                          RunObserver&, std::stop_token stop) {
    for (std::int64_t i = 0; i < request.tokens; ++i) {
        pause(m_behaviour.stepTime, stop);
        emit("word ");
    }
}

void FakeEngine::step(const RunConfig& config, std::int64_t done, std::stop_token stop) const {
    pause(m_behaviour.stepTime, stop);
    if (m_behaviour.onStep) {
        m_behaviour.onStep(config, done);
    }
}

void FakeEngine::score(const RunConfig& config, RunResult& result, RunObserver& observer, std::stop_token stop) const {
    const std::int64_t total = config.warm + config.score;
    observer.onPhase(RunPhase::Scoring);
    for (std::int64_t done = 0; done < total;) {
        const std::int64_t begin = done;
        done = std::min(done + config.chunk, total);
        double sum = 0;
        std::int64_t scored = 0;
        for (std::int64_t token = std::max(begin, config.warm); token < done; ++token, ++scored) {
            const double nll = 2 + noise(static_cast<double>(token)) + penaltyOf(config) * noise(token + 0.5);
            result.tokenNll.push_back(static_cast<float>(nll));
            sum += nll;
        }
        const auto position = static_cast<double>(done);
        const auto payload = static_cast<double>(heldOf(config, done) * 4096);
        observer.onProgress(done, total);
        observer.onMetric("kv_payload_bytes", position, payload);
        result.curves["kv_payload_bytes"].x.push_back(position);
        result.curves["kv_payload_bytes"].y.push_back(payload);
        if (scored > 0) {
            const double mean = sum / static_cast<double>(scored);
            observer.onMetric("nll", position, mean);
            result.curves["nll"].x.push_back(position);
            result.curves["nll"].y.push_back(mean);
        }
        step(config, done, stop);
    }
    const Estimate nll = estimate(result.tokenNll);
    result.metrics["nll"] = nll.mean;
    result.metrics["nll_stderr"] = nll.standardError;
    result.metrics["perplexity"] = std::exp(nll.mean);
    result.metrics["perplexity_stderr"] = std::exp(nll.mean) * nll.standardError;
}

/// What lies within the last entries of the budget is given back.
void FakeEngine::ask(const RunConfig& config, RunResult& result, RunObserver& observer, std::stop_token stop) const {
    const std::int64_t samples = integerOf(config.evaluationParameters, "samples");
    const auto length = static_cast<double>(contextTokens(config));
    const double behind = (1 - realOf(config.evaluationParameters, "depth") / 100) * length;
    const bool isHeld = config.budget == 0 || behind <= static_cast<double>(config.budget);
    observer.onPhase(RunPhase::Scoring);
    for (std::int64_t i = 0; i < samples; ++i) {
        step(config, i, stop);
        observer.onProgress(i + 1, samples);
    }
    const Interval interval =
        wilsonInterval(isHeld ? static_cast<std::size_t>(samples) : 0, static_cast<std::size_t>(samples));
    result.metrics["retrieval_accuracy"] = isHeld ? 1 : 0;
    result.metrics["retrieval_accuracy_low"] = interval.low;
    result.metrics["retrieval_accuracy_high"] = interval.high;
    result.texts["answers"] = R"([{"expected":["4711"],"answer":" the answer is 4711","found":1}])";
}

void FakeEngine::time(const RunConfig& config, RunResult& result, RunObserver& observer, std::stop_token stop) const {
    const auto held = static_cast<double>(heldOf(config, config.depth));
    observer.onPhase(RunPhase::Filling);
    observer.onProgress(config.depth, config.depth);
    observer.onPhase(RunPhase::WarmingUp);
    for (std::int64_t i = 0; i < integerOf(config.evaluationParameters, "warmups"); ++i) {
        step(config, i, stop);
    }
    observer.onPhase(RunPhase::Timing);
    const std::int64_t samples = integerOf(config.evaluationParameters, "samples");
    std::vector<double> speeds;
    for (std::int64_t i = 0; i < samples; ++i) {
        step(config, i, stop);
        result.stepSeconds.push_back(0.01 + held * 1e-6 + 1e-4 * noise(static_cast<double>(i)));
        speeds.push_back(1 / result.stepSeconds.back());
        observer.onProgress(i + 1, samples);
    }
    result.metrics["decode_depth"] = static_cast<double>(config.depth);
    result.metrics["decode_tok_s_median"] = 1 / median(result.stepSeconds);
    result.metrics["decode_tok_s_mean"] = mean(speeds);
    result.metrics["decode_tok_s_sd"] = sampleDeviation(speeds);
    result.metrics["decode_ms_p90"] = 1000 * percentile(result.stepSeconds, 90);
    result.metrics["read_bandwidth_bytes_s"] = 30e9;
    result.metrics["roofline_tok_s"] = 30e9 / (11e6 + held * 4096);
}

std::function<std::unique_ptr<Engine>()> fakeEngineFactory(FakeBehaviour behaviour) {
    return [behaviour = std::move(behaviour)] { return std::make_unique<FakeEngine>(behaviour); };
}

}  // namespace kvist::test
