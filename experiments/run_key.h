// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/api/run_config.h"

namespace kvist::experiments {

/// The policy that every difference refers to.
inline constexpr const char* kFullPolicy = "full";

/// Raised when an evaluation's figures change their meaning, so that results stored earlier are not taken for
/// the new ones.
inline constexpr int kEvaluationVersion = 1;

/// Hash (SHA-256, hex) of everything that defines a measurement: equal keys, equal results, but for the speed of
/// the machine. Where model and text lie does not enter, their content does; the number of threads enters for
/// timed evaluations alone. `config` is resolved: type and device are not "auto", parameters complete.
std::string runKey(const RunConfig& config, const std::string& modelFingerprint, const std::string& textHash);

/// True for a full cache in full precision.
bool isBaseline(const RunConfig& config);

/// The full-cache configuration that this one is compared with.
RunConfig baselineOf(const RunConfig& config);

}  // namespace kvist::experiments
