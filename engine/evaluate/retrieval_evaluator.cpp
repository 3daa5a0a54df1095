// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluate/retrieval_evaluator.h"

#include <nlohmann/json.hpp>

#include "engine/api/evaluation_catalog.h"
#include "engine/api/statistics.h"
#include "engine/evaluate/cache_metrics.h"
#include "engine/evaluate/run_session.h"
#include "engine/evaluate/tasks/string_match.h"
#include "engine/evaluate/tasks/task_builder.h"
#include "engine/runtime/content_hash.h"
#include "engine/session/greedy_decoder.h"
#include "engine/session/session.h"
#include "engine/text/chat_template.h"
#include "engine/text/utf8.h"

namespace kvist {
namespace {

std::int64_t sizeOf(const std::vector<std::int32_t>& tokens) {
    return static_cast<std::int64_t>(tokens.size());
}

/// Asks the questions of all samples, one after the other, in one session.
class Examination {
public:
    Examination(const LoadedModel& model, Session& session, const RunConfig& config, RunObserver& observer,
                std::stop_token stop)
        : m_tokenizer(*model.tokenizer),
          m_session(session),
          m_observer(observer),
          m_stop(std::move(stop)),
          m_samples(integerOf(config.evaluationParameters, "samples")),
          m_length(integerOf(config.evaluationParameters, "length")),
          m_answer(integerOf(config.evaluationParameters, "answer")),
          m_asksBefore(choiceOf(config.evaluationParameters, "question") == "before") {}

    void run(const TaskBuilder& task, RunResult& result) {
        Curve& scores = result.curves["retrieval_score"];
        nlohmann::json answers = nlohmann::json::array();
        ContentHash kept;
        std::int64_t found = 0;
        std::int64_t asked = 0;
        for (m_sample = 0; m_sample < m_samples; ++m_sample) {
            const TaskSample sample = task.build(m_sample);
            const std::string answer = answerTo(sample);
            const std::int64_t matched = matchedStrings(answer, sample.expected);
            const auto expected = static_cast<std::int64_t>(sample.expected.size());
            found += matched;
            asked += expected;
            scores.x.push_back(static_cast<double>(m_sample));
            scores.y.push_back(static_cast<double>(matched) / static_cast<double>(expected));
            answers.push_back({{"expected", sample.expected}, {"answer", answer}, {"found", matched}});
            for (const TokenSpan& needle : sample.needles) {
                answers.back()["positions"].push_back(needle.first);
            }
            kept.addText(m_session.keptDigest());
        }
        const Interval interval = wilsonInterval(static_cast<std::size_t>(found), static_cast<std::size_t>(asked));
        result.metrics["retrieval_accuracy"] = static_cast<double>(found) / static_cast<double>(asked);
        result.metrics["retrieval_accuracy_low"] = interval.low;
        result.metrics["retrieval_accuracy_high"] = interval.high;
        result.texts["answers"] = answers.dump(1);
        result.keptDigest = kept.digest();
    }

private:
    /// Ends as soon as everything is found: what would follow cannot change the score.
    std::string answerTo(const TaskSample& sample) {
        m_session.reset();
        m_observer.onPhase(RunPhase::Filling);
        m_done = 0;
        at::Tensor hidden = feed(sample.context);
        if (m_asksBefore) {
            const std::int64_t first = sizeOf(sample.context);
            m_session.markQuestion({first, first + sizeOf(sample.question)});
            hidden = feed(sample.question);
            m_session.endPrompt(options());
        } else {
            m_session.endPrompt(options());
            hidden = feed(sample.question);
        }
        m_observer.onPhase(RunPhase::Scoring);
        std::string bytes;
        const auto goesOn = [&](std::int32_t token) {
            bytes += m_tokenizer.decode(std::span(&token, 1));
            report(++m_done);
            return matchedStrings(bytes, sample.expected) < static_cast<std::int64_t>(sample.expected.size());
        };
        const auto tokens = GreedyDecoder(m_session, m_tokenizer).continueFrom(hidden, m_answer, m_stop, goesOn);
        report(m_length);
        return replaceInvalidUtf8(m_tokenizer.decode(tokens));
    }

    at::Tensor feed(const std::vector<std::int32_t>& tokens) {
        const std::int64_t layers = m_session.decoder().config().layers;
        ForwardOptions options = this->options();
        options.onLayerDone = [&](std::int64_t layer) { report(m_done + sizeOf(tokens) * layer / layers); };
        const at::Tensor hidden = m_session.feed(tokens, options);
        m_done += sizeOf(tokens);
        return hidden;
    }

    ForwardOptions options() const { return {.stop = m_stop, .checksFinite = true, .onLayerDone = {}}; }

    void report(std::int64_t tokens) { m_observer.onProgress(m_sample * m_length + tokens, m_samples * m_length); }

    const Tokenizer& m_tokenizer;
    Session& m_session;
    RunObserver& m_observer;
    std::stop_token m_stop;
    const std::int64_t m_samples;
    const std::int64_t m_length;
    const std::int64_t m_answer;
    const bool m_asksBefore;
    std::int64_t m_sample = 0;
    std::int64_t m_done = 0;  ///< tokens of this sample
};

}  // namespace

RunResult RetrievalEvaluator::evaluate(const LoadedModel& model, PruningPolicy& policy, const RunConfig& config,
                                       RunObserver& observer, std::stop_token stop) const {
    RunResult result;
    observer.onPhase(RunPhase::Tokenizing);
    TaskSettings settings = taskSettings(config);
    if (evaluationParameter(config, "chat") == ParameterValue(std::string("auto"))) {
        if (const auto chat = readChatTemplate(model.info.path)) {
            settings.turnBegin = chat->beforeQuestion();
            settings.turnEnd = chat->afterQuestion();
        } else {
            result.notes.emplace_back(kNoChatTemplate);
        }
    }
    const Haystack haystack = choiceOf(config.evaluationParameters, "haystack") == "noise"
                                  ? noiseHaystack(*model.tokenizer)
                                  : readHaystack(config.text, *model.texts, settings.length, stop);
    const auto task = makeTaskBuilder(settings, *model.tokenizer, haystack);
    Session session(*model.decoder, policy, sessionOptions(config, model, settings.length));
    Examination(model, session, config, observer, stop).run(*task, result);
    addCacheMetrics(session, result);
    result.runner = runnerOf(session);
    return result;
}

}  // namespace kvist
