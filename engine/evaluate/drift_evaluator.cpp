// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluate/drift_evaluator.h"

#include "engine/api/engine_error.h"
#include "engine/api/evaluation_catalog.h"
#include "engine/evaluate/cache_metrics.h"
#include "engine/evaluate/equal_tokens.h"
#include "engine/evaluate/run_session.h"
#include "engine/policies/policy_factory.h"
#include "engine/runtime/memory_probe.h"
#include "engine/session/greedy_decoder.h"
#include "engine/session/session.h"
#include "engine/text/utf8.h"

namespace kvist {
namespace {

std::vector<std::int32_t> promptFor(const LoadedModel& model, const RunConfig& config, const std::stop_token& stop) {
    auto tokens = model.texts->read(config.text, config.warm, stop);
    const auto there = static_cast<std::int64_t>(tokens.size());
    if (config.warm < 1 || there < config.warm) {
        throw EngineError(ErrorKind::InvalidInput,
                          config.text.file + ": the text has " + std::to_string(there) + " of the " +
                              std::to_string(config.warm) +
                              " tokens to go on from. Choose a longer text, or a warm between 1 and what it has");
    }
    return tokens;
}

/// Writes on from one prompt in one session after the other.
class Writer {
public:
    Writer(const LoadedModel& model, const RunConfig& config, RunObserver& observer, std::stop_token stop)
        : m_tokenizer(*model.tokenizer),
          m_prompt(promptFor(model, config, stop)),
          m_count(integerOf(config.evaluationParameters, "tokens")),
          m_observer(observer),
          m_stop(std::move(stop)) {}

    /// `part` of two.
    std::vector<std::int32_t> write(Session& session, int part) {
        const auto prompt = static_cast<std::int64_t>(m_prompt.size());
        const std::int64_t all = prompt + m_count;
        std::int64_t done = part * all;
        const auto report = [&](std::int64_t tokens) { m_observer.onProgress(tokens, 2 * all); };
        m_observer.onPhase(RunPhase::Filling);
        const std::int64_t layers = session.decoder().config().layers;
        const at::Tensor hidden =
            session.feed(m_prompt, {.stop = m_stop, .checksFinite = true, .onLayerDone = [&](std::int64_t layer) {
                                        report(done + prompt * layer / layers);
                                    }});
        session.endPrompt({.stop = m_stop, .checksFinite = true, .onLayerDone = {}});
        done += prompt;
        m_observer.onPhase(RunPhase::Scoring);
        return GreedyDecoder(session, m_tokenizer).continueFrom(hidden, m_count, m_stop, [&](std::int32_t) {
            report(++done);
            return true;
        });
    }

    std::string textOf(const std::vector<std::int32_t>& tokens) const {
        return replaceInvalidUtf8(m_tokenizer.decode(tokens));
    }

private:
    const Tokenizer& m_tokenizer;
    const std::vector<std::int32_t> m_prompt;
    const std::int64_t m_count;
    RunObserver& m_observer;
    std::stop_token m_stop;
};

}  // namespace

RunResult DriftEvaluator::evaluate(const LoadedModel& model, PruningPolicy& policy, const RunConfig& config,
                                   RunObserver& observer, std::stop_token stop) const {
    RunResult result;
    observer.onPhase(RunPhase::Tokenizing);
    Writer writer(model, config, observer, stop);
    const SessionOptions options = sessionOptions(config, model, contextTokens(config));
    std::vector<std::int32_t> expected;
    {
        const auto fullPolicy = makePolicy("full", {});
        Session full(*model.decoder, *fullPolicy, options);
        expected = writer.write(full, 0);
    }
    resetPeakMemory();
    Session session(*model.decoder, policy, options);
    const auto written = writer.write(session, 1);

    const EqualTokens equal = compareTokens(written, expected);
    result.metrics["drift_equal_share"] = equal.share;
    if (equal.firstDifference) {
        result.metrics["drift_first_divergence"] = static_cast<double>(*equal.firstDifference);
    }
    result.texts["continuation"] = writer.textOf(written);
    result.texts["continuation_full"] = writer.textOf(expected);
    addCacheMetrics(session, result);
    result.keptDigest = session.keptDigest();
    result.runner = runnerOf(session);
    return result;
}

}  // namespace kvist
