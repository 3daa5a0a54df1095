// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluate/baseline_predictions.h"

#include "engine/evaluate/text_feed.h"
#include "engine/policies/full_policy.h"
#include "engine/runtime/content_hash.h"

namespace kvist {
namespace {

std::string formOf(const PredictionLog& log) {
    const std::string form = log.top() == 0
                                 ? "every log-probability as float16"
                                 : "the " + std::to_string(log.top()) + " most probable of " +
                                       std::to_string(log.vocabulary()) + " tokens as float16 and the rest as one";
    return form + ", " + std::to_string((log.bytes() + (1 << 19)) >> 20) + " MiB";
}

}  // namespace

std::string BaselinePredictions::keyOf(const LoadedModel& model, std::span<const std::int32_t> tokens,
                                       std::int64_t warm) {
    ContentHash hash;
    hash.addText(model.info.fingerprint);
    hash.addText(dtypeName(model.compute));
    hash.addText(model.compute.device.is_cpu() ? "cpu" : "cuda");
    hash.addValues(std::vector<std::int64_t>{warm, static_cast<std::int64_t>(tokens.size())});
    hash.addValues(tokens);
    return hash.digest();
}

PredictionLog BaselinePredictions::obtain(const LoadedModel& model, std::span<const std::int32_t> tokens,
                                          std::int64_t warm, RunObserver& observer, const std::stop_token& stop,
                                          std::vector<std::string>& notes) const {
    const auto fed = static_cast<std::int64_t>(tokens.size()) - 1;
    const std::int64_t vocabulary = model.decoder->config().vocabularySize;
    const std::int64_t top = PredictionLog::usualTop(vocabulary);
    const std::string key = keyOf(model, tokens, warm);
    if (auto kept = m_store.find(key);
        kept && kept->rows() == fed - warm && kept->vocabulary() == vocabulary && kept->top() == top) {
        notes.push_back("compared with the full cache's predictions, kept from an earlier run: " + formOf(*kept));
        return *std::move(kept);
    }
    observer.onPhase(RunPhase::Baseline);
    PredictionLog log(fed - warm, vocabulary, top);
    FullPolicy full;
    Session session(*model.decoder, full, {.longest = fed});
    TextFeed{.session = session,
             .tokens = tokens,
             .warm = warm,
             .stop = stop,
             .onProgress = [&](std::int64_t done) { observer.onProgress(done, fed); },
             .onPredictions = [&](const LogitBlock& block) { log.append(block); }}
        .run();
    const bool isKept = m_store.save(key, log);
    notes.push_back("compared with the full cache's predictions, computed before this run" +
                    std::string(isKept ? " and kept for later ones: " : ", not kept: ") + formOf(log));
    return log;
}

}  // namespace kvist
