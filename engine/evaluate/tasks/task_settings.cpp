// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluate/tasks/task_settings.h"

namespace kvist {

TaskSettings taskSettings(const RunConfig& config) {
    const ParameterMap& given = config.evaluationParameters;
    TaskSettings settings;
    settings.task = choiceOf(given, "task");
    settings.length = integerOf(given, "length");
    settings.answer = integerOf(given, "answer");
    settings.depth = realOf(given, "depth");
    settings.hops = integerOf(given, "hops");
    settings.digits = integerOf(given, "digits");
    settings.seed = config.seed;
    const bool asksForAll = settings.task == "multi-query";
    if (asksForAll || settings.task == "multi-key") {
        settings.keys = integerOf(given, "keys");
        settings.queries = asksForAll ? settings.keys : 1;
    }
    if (settings.task == "multi-value") {
        settings.values = integerOf(given, "values");
    }
    // While a text streams through, the only place where a question is seen before pruning is in front of it.
    settings.asksFirst = choiceOf(given, "question") == "before" && choiceOf(given, "protocol") == "streamed";
    return settings;
}

}  // namespace kvist
