// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluate/perplexity_evaluator.h"

#include <cmath>
#include <optional>

#include "engine/api/engine_error.h"
#include "engine/api/evaluation_catalog.h"
#include "engine/api/statistics.h"
#include "engine/evaluate/cache_metrics.h"
#include "engine/evaluate/curve_blocks.h"
#include "engine/evaluate/divergence_meter.h"
#include "engine/evaluate/run_session.h"
#include "engine/evaluate/text_feed.h"
#include "engine/runtime/memory_probe.h"
#include "engine/runtime/stopwatch.h"
#include "engine/session/session.h"

namespace kvist {
namespace {

std::vector<std::int32_t> tokensFor(const LoadedModel& model, const RunConfig& config, RunResult& result,
                                    const std::stop_token& stop) {
    const std::int64_t wanted = config.warm + config.score + 1;
    auto tokens = model.texts->read(config.text, wanted, stop);
    const auto there = static_cast<std::int64_t>(tokens.size());
    if (there < config.warm + 2) {
        throw EngineError(ErrorKind::InvalidInput,
                          config.text.file + ": the text has " + std::to_string(there) + " tokens; warm " +
                              std::to_string(config.warm) + " and at least one scored token need " +
                              std::to_string(config.warm + 2) + ". Choose a longer text or a smaller warm");
    }
    if (there < wanted) {
        result.notes.push_back("the text has " + std::to_string(there) +
                               " tokens: " + std::to_string(there - config.warm - 1) + " of " +
                               std::to_string(config.score) + " were scored");
    }
    return tokens;
}

/// Collects what a run shows while it goes on.
class Scoring {
public:
    Scoring(Session& session, std::span<const std::int32_t> tokens, std::int64_t warm, RunObserver& observer,
            RunResult& result)
        : m_session(session), m_tokens(tokens), m_warm(warm), m_observer(observer), m_result(result) {}

    void compareWith(PredictionLog baseline) { m_divergence.emplace(std::move(baseline), m_warm, m_observer); }

    void run(const std::stop_token& stop) {
        const Stopwatch watch;
        const auto fed = static_cast<std::int64_t>(m_tokens.size()) - 1;
        m_observer.onPhase(m_warm > 0 ? RunPhase::Filling : RunPhase::Scoring);
        TextFeed{.session = m_session,
                 .tokens = m_tokens,
                 .warm = m_warm,
                 .stop = stop,
                 .onProgress = [&](std::int64_t done) { m_observer.onProgress(done, fed); },
                 .onPredictions = [&](const LogitBlock& block) { add(block); },
                 .onSegment = [&](std::int64_t end) { report(end); },
                 .onWarm =
                     [&](std::int64_t warmed) {
                         m_result.metrics["prefill_tok_s"] = static_cast<double>(warmed) / watch.seconds();
                         m_observer.onPhase(RunPhase::Scoring);
                     }}
            .run();
        if (m_divergence) {
            m_divergence->addMetrics(m_result);
        }
    }

private:
    void add(const LogitBlock& block) {
        const auto nll = nllOf(block);
        m_result.tokenNll.insert(m_result.tokenNll.end(), nll.begin(), nll.end());
        if (m_divergence) {
            m_divergence->add(block);
        }
    }

    /// Emits the points that are new since the last call.
    void report(std::int64_t end) {
        const bool isLast = end + 1 == static_cast<std::int64_t>(m_tokens.size());
        const auto& nll = m_result.tokenNll;
        m_result.curves["nll"];
        m_blocks.advance(nll.size(), isLast, [&](std::size_t first, std::size_t last) {
            addPoint(m_result, m_observer, "nll", static_cast<double>(m_warm) + static_cast<double>(last),
                     estimate(std::span(nll).subspan(first, last - first)).mean);
        });
        if (m_divergence) {
            m_divergence->report(isLast, m_result);
        }
        const CacheStats held = m_session.stats();
        const auto seen = static_cast<double>(end);
        addPoint(m_result, m_observer, "kv_payload_bytes", seen, static_cast<double>(held.payload));
        addPoint(m_result, m_observer, "kv_metadata_bytes", seen, static_cast<double>(held.metadata));
        addPoint(m_result, m_observer, "policy_state_bytes", seen, static_cast<double>(held.policyState));
    }

    Session& m_session;
    std::span<const std::int32_t> m_tokens;
    std::int64_t m_warm;
    RunObserver& m_observer;
    RunResult& m_result;
    std::optional<DivergenceMeter> m_divergence;
    CurveBlocks m_blocks;
};

void addFigures(RunResult& result) {
    const std::span<const float> tokens(result.tokenNll);
    const Estimate nll = estimate(tokens);
    const double perplexity = std::exp(nll.mean);
    result.metrics["nll"] = nll.mean;
    result.metrics["perplexity"] = perplexity;
    if (nll.count > 1) {
        result.metrics["nll_stderr"] = nll.standardError;
        result.metrics["nll_stderr_block"] = blockStandardError(tokens, bootstrapBlock(nll.count));
        result.metrics["perplexity_stderr"] = perplexity * nll.standardError;
    }
}

void addNotes(const Session& session, const RunConfig& config, RunResult& result) {
    if (session.chunk() < config.chunk) {
        result.notes.push_back("chunks were cut to " + std::to_string(session.chunk()) +
                               " tokens, so that no layer holds more than the budget");
    }
    if (session.protocol() == SessionProtocol::PrefillThenDecode) {
        result.notes.push_back("prefill then score: the first " + std::to_string(config.warm) +
                               " tokens were held whole and then compressed once; the peak is theirs");
    }
}

}  // namespace

RunResult PerplexityEvaluator::evaluate(const LoadedModel& model, PruningPolicy& policy, const RunConfig& config,
                                        RunObserver& observer, std::stop_token stop) const {
    RunResult result;
    observer.onPhase(RunPhase::Tokenizing);
    const auto tokens = tokensFor(model, config, result, stop);
    Session session(*model.decoder, policy,
                    sessionOptions(config, model, static_cast<std::int64_t>(tokens.size()) - 1));
    if (session.protocol() == SessionProtocol::PrefillThenDecode && config.warm < 1) {
        throw EngineError(ErrorKind::InvalidInput,
                          "warm 0: prefill then score needs a prompt of at least one token; choose a larger warm");
    }
    Scoring scoring(session, tokens, config.warm, observer, result);
    if (evaluationParameter(config, "divergence") == ParameterValue(true)) {
        scoring.compareWith(m_baselines.obtain(model, tokens, config.warm, observer, stop, result.notes));
        resetPeakMemory();
    }
    addNotes(session, config, result);
    scoring.run(stop);
    addFigures(result);
    addCacheMetrics(session, result);
    result.keptDigest = session.keptDigest();
    result.runner = runnerOf(session);
    return result;
}

}  // namespace kvist
