// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluate/speed_evaluator.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "engine/api/evaluation_catalog.h"
#include "engine/api/statistics.h"
#include "engine/evaluate/cache_metrics.h"
#include "engine/evaluate/roofline.h"
#include "engine/kernels/arithmetic_rate.h"
#include "engine/kernels/read_bandwidth.h"
#include "engine/runtime/memory_probe.h"
#include "engine/runtime/stop.h"
#include "engine/runtime/stopwatch.h"
#include "engine/session/bounded_decoder.h"
#include "engine/session/session.h"

namespace kvist {
namespace {

/// One decode step: feeds a token and returns the most probable next one. Waits for the device.
std::int32_t step(Session& session, std::int32_t token, const std::stop_token& stop) {
    const at::Tensor hidden =
        session.feed(std::span(&token, 1), {.stop = stop, .checksFinite = false, .onLayerDone = {}});
    return static_cast<std::int32_t>(session.decoder().logits(hidden).argmax().item<std::int64_t>());
}

void addSpeeds(RunResult& result) {
    std::vector<double> speeds;
    for (const double seconds : result.stepSeconds) {
        speeds.push_back(1.0 / seconds);
    }
    result.metrics["decode_tok_s_median"] = 1.0 / median(result.stepSeconds);
    result.metrics["decode_tok_s_mean"] = mean(speeds);
    result.metrics["decode_tok_s_sd"] = sampleDeviation(speeds);
    result.metrics["decode_ms_p90"] = 1000.0 * percentile(result.stepSeconds, 90);
}

/// The limit that reading and computing set; there is none where weights and entries fit the CPU's cache.
void addRoofline(const Session& session, int threads, RunResult& result) {
    const MachineRates rates{kernels::readBandwidth(threads), kernels::arithmeticRate(threads)};
    const StepDemand demand = demandOf(session);
    result.metrics["read_bandwidth_bytes_s"] = rates.bytesPerSecond;
    result.metrics["arithmetic_flop_s"] = rates.operationsPerSecond;
    if (demand.weightBytes + demand.entryBytes > static_cast<double>(lastLevelCache())) {
        result.metrics["roofline_tok_s"] = 1 / leastSeconds(demand, rates);
    }
}

/// Ids of a prompt that looks like nothing: the time does not depend on what stands in it.
std::vector<std::int32_t> someTokens(std::int64_t count, std::int64_t vocabulary) {
    std::vector<std::int32_t> tokens(static_cast<std::size_t>(count));
    std::uint64_t state = 1;
    for (std::int32_t& token : tokens) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        token = static_cast<std::int32_t>((state >> 33) % static_cast<std::uint64_t>(vocabulary));
    }
    return tokens;
}

/// Feeds a prompt to an empty session, pruned as the policy does, once to warm up and once timed.
void addPrefill(const LoadedModel& model, PruningPolicy& policy, const SessionOptions& options,
                const std::stop_token& stop, RunResult& result) {
    const auto tokens = someTokens(options.longest, model.tokenizer->vocabularySize());
    Session session(*model.decoder, policy, options);
    const auto feed = [&] {
        const Stopwatch watch;
        const at::Tensor hidden = session.feed(tokens, {.stop = stop, .checksFinite = false, .onLayerDone = {}});
        session.endPrompt({.stop = stop, .checksFinite = false, .onLayerDone = {}});
        session.decoder().logits(hidden.narrow(0, hidden.size(0) - 1, 1)).argmax().item<std::int64_t>();
        return watch.seconds();
    };
    feed();
    session.reset();
    const double seconds = feed();
    result.metrics["ttft_s"] = seconds;
    result.metrics["prefill_tok_s"] = static_cast<double>(options.longest) / seconds;
}

}  // namespace

RunResult SpeedEvaluator::evaluate(const LoadedModel& model, PruningPolicy& policy, const RunConfig& config,
                                   RunObserver& observer, std::stop_token stop) const {
    const std::int64_t warmups = integerOf(config.evaluationParameters, "warmups");
    const std::int64_t samples = integerOf(config.evaluationParameters, "samples");
    const std::int64_t prefill = std::get<std::int64_t>(evaluationParameter(config, "prefill").value());
    RunResult result;

    const SessionOptions options{
        .budget = config.budget,
        .chunk = 1,
        .longest = config.depth + warmups + samples,
        .protocol = policy.needsPrompt() ? SessionProtocol::PrefillThenDecode : SessionProtocol::Streamed,
        .tokenizer = model.tokenizer.get()};
    observer.onPhase(RunPhase::Filling);
    Session session(*model.decoder, policy, options);
    session.fillRandomly(config.depth, config.seed, stop);

    std::optional<BoundedDecoder> bounded;
    if (BoundedDecoder::pays(session)) {
        bounded.emplace(session, model.decoder->config().vocabularySize);
    }
    const auto following = [&](std::int32_t token) {
        throwIfStopped(stop);
        return bounded ? bounded->step(token) : step(session, token, stop);
    };
    std::int32_t token = 0;
    observer.onPhase(RunPhase::WarmingUp);
    const std::int64_t least = bounded ? BoundedDecoder::kWarmups + 1 : 0;  // the last of them is recorded
    for (std::int64_t i = 0; i < std::max(warmups, least); ++i) {
        token = following(token);
    }
    observer.onPhase(RunPhase::Timing);
    const double before = session.policySeconds();
    for (std::int64_t i = 0; i < samples; ++i) {
        const Stopwatch watch;
        token = following(token);
        result.stepSeconds.push_back(watch.seconds());
        observer.onProgress(i + 1, samples);
    }

    addSpeeds(result);
    if (bounded) {
        bounded->finish();
        result.notes.push_back("decode steps were " + bounded->manner());
    } else {
        result.metrics["policy_ms_per_step"] = 1000 * (session.policySeconds() - before) / static_cast<double>(samples);
    }
    addCacheMetrics(session, result);
    result.metrics["decode_depth"] = static_cast<double>(config.depth);
    if (model.compute.device.is_cpu()) {
        addRoofline(session, model.compute.threads, result);
    }
    result.keptDigest = session.keptDigest();
    result.runner = "in order";
    if (prefill > 0) {
        SessionOptions prompt = options;
        prompt.chunk = config.chunk;
        prompt.longest = prefill;
        addPrefill(model, policy, prompt, stop, result);
    }
    return result;
}

}  // namespace kvist
