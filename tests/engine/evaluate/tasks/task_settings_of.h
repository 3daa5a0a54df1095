// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/evaluation_catalog.h"
#include "engine/evaluate/tasks/task_settings.h"

namespace kvist::testing {

/// Settings of a retrieval run with these parameters.
inline TaskSettings taskSettingsOf(const ParameterMap& given, std::uint64_t seed = 0) {
    RunConfig config;
    config.evaluation = "retrieval";
    config.evaluationParameters = completed(evaluationInfo("retrieval").parameters, given, "retrieval");
    config.seed = seed;
    return taskSettings(config);
}

}  // namespace kvist::testing
