// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluate/perplexity_evaluator.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/api/engine_error.h"
#include "engine/api/statistics.h"
#include "engine/evaluate/cache_metrics.h"
#include "engine/evaluate/token_nll.h"
#include "engine/runtime/stopwatch.h"
#include "engine/session/session.h"
#include "engine/text/corpus.h"

namespace kvist {
namespace {

/// Tokens that go through the decoder together: matrix products are at their full rate, and the live curve
/// still moves.
constexpr std::int64_t kSegment = 512;

/// Scored tokens that one point of the live curve averages.
constexpr std::size_t kCurveBlock = 32;

std::vector<std::int32_t> tokensFor(const LoadedModel& model, const RunConfig& config, RunResult& result,
                                    const std::stop_token& stop) {
    const std::int64_t wanted = config.warm + config.score + 1;
    auto tokens = readTokens(config.text, *model.tokenizer, wanted, stop);
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

/// Feeds the tokens and collects what a run shows while it goes on.
class Scoring {
public:
    Scoring(Session& session, std::span<const std::int32_t> tokens, std::int64_t warm, RunObserver& observer,
            std::stop_token stop)
        : m_session(session), m_tokens(tokens), m_warm(warm), m_observer(observer), m_stop(std::move(stop)) {}

    void run(RunResult& result) {
        const auto fed = static_cast<std::int64_t>(m_tokens.size()) - 1;
        const std::int64_t chunk = m_session.chunk();
        const std::int64_t segment = std::max<std::int64_t>(1, kSegment / chunk) * chunk;
        const Stopwatch watch;
        m_observer.onPhase(m_warm > 0 ? RunPhase::Filling : RunPhase::Scoring);
        for (std::int64_t start = 0; start < fed; start += segment) {
            const std::int64_t end = std::min(start + segment, fed);
            const at::Tensor hidden = feed(start, end, fed);
            if (end >= m_warm && m_warm > 0 && start < m_warm) {
                result.metrics["prefill_tok_s"] = static_cast<double>(end) / watch.seconds();
                m_observer.onPhase(RunPhase::Scoring);
            }
            score(hidden, start, end, result);
            report(end, result);
        }
    }

private:
    at::Tensor feed(std::int64_t start, std::int64_t end, std::int64_t fed) {
        const std::int64_t layers = m_session.decoder().config().layers;
        const auto onLayerDone = [&](std::int64_t done) {
            m_observer.onProgress(start + (end - start) * done / layers, fed);
        };
        return m_session.feed(m_tokens.subspan(static_cast<std::size_t>(start), static_cast<std::size_t>(end - start)),
                              {.stop = m_stop, .checksFinite = true, .onLayerDone = onLayerDone});
    }

    void score(const at::Tensor& hidden, std::int64_t start, std::int64_t end, RunResult& result) {
        const std::int64_t skipped = std::clamp<std::int64_t>(m_warm - start, 0, end - start);
        const std::int64_t rows = end - start - skipped;
        if (rows == 0) {
            return;
        }
        const auto next =
            m_tokens.subspan(static_cast<std::size_t>(start + skipped + 1), static_cast<std::size_t>(rows));
        const auto nll = tokenNll(m_session.decoder(), hidden.narrow(0, skipped, rows), next, start + skipped, m_stop);
        result.tokenNll.insert(result.tokenNll.end(), nll.begin(), nll.end());
    }

    /// Emits the points that are new since the last call.
    void report(std::int64_t end, RunResult& result) {
        Curve& curve = result.curves["nll"];
        const bool isLast = end + 1 == static_cast<std::int64_t>(m_tokens.size());
        while (m_shown + kCurveBlock <= result.tokenNll.size() || (isLast && m_shown < result.tokenNll.size())) {
            const std::size_t count = std::min(kCurveBlock, result.tokenNll.size() - m_shown);
            const auto block = std::span<const float>(result.tokenNll).subspan(m_shown, count);
            m_shown += count;
            add(curve, "nll", static_cast<double>(m_warm) + static_cast<double>(m_shown), estimate(block).mean);
        }
        add(result.curves["kv_payload_bytes"], "kv_payload_bytes", static_cast<double>(end),
            static_cast<double>(m_session.cache().stats().payload));
    }

    void add(Curve& curve, const char* name, double x, double y) {
        curve.x.push_back(x);
        curve.y.push_back(y);
        m_observer.onMetric(name, x, y);
    }

    Session& m_session;
    std::span<const std::int32_t> m_tokens;
    std::int64_t m_warm;
    RunObserver& m_observer;
    std::stop_token m_stop;
    std::size_t m_shown = 0;
};

}  // namespace

RunResult PerplexityEvaluator::evaluate(const LoadedModel& model, PruningPolicy& policy, const RunConfig& config,
                                        RunObserver& observer, std::stop_token stop) const {
    RunResult result;
    observer.onPhase(RunPhase::Tokenizing);
    const auto tokens = tokensFor(model, config, result, stop);
    Session session(
        *model.decoder, policy,
        {.budget = config.budget, .chunk = config.chunk, .longest = static_cast<std::int64_t>(tokens.size()) - 1});
    if (session.chunk() < config.chunk) {
        result.notes.push_back("chunks were cut to " + std::to_string(session.chunk()) +
                               " tokens, so that no layer holds more than the budget");
    }
    Scoring(session, tokens, config.warm, observer, stop).run(result);

    const Estimate nll = estimate(std::span<const float>(result.tokenNll));
    const double perplexity = std::exp(nll.mean);
    result.metrics["nll"] = nll.mean;
    result.metrics["perplexity"] = perplexity;
    if (nll.count > 1) {
        result.metrics["nll_stderr"] = nll.standardError;
        result.metrics["perplexity_stderr"] = perplexity * nll.standardError;
    }
    addCacheMetrics(session, result);
    result.keptDigest = session.keptDigest();
    result.runner = session.runsLayerByLayer() ? "layer by layer" : "in order";
    return result;
}

}  // namespace kvist
