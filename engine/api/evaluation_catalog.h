// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/api/parameter_spec.h"
#include "engine/api/run_config.h"

namespace kvist {

/// What a run measures.
struct EvaluationInfo {
    std::string id;  ///< "perplexity", "speed"
    std::string title;
    std::string summary;                ///< what is measured and how, in one sentence
    bool usesContexts = true;           ///< needs warm counts, and score counts where it usesScore
    bool usesScore = true;              ///< scores given tokens; of contexts without it `score` is 0
    bool usesDepths = false;            ///< needs a depth; one run per depth
    bool usesText = true;               ///< reads the text of the run
    bool isTimed = false;               ///< watching must not disturb it
    std::string contextParameter = {};  ///< the parameter whose tokens add to the context; may be empty
    std::vector<ParameterSpec> parameters;
};

const std::vector<EvaluationInfo>& evaluationCatalog();

/// Throws EngineError(InvalidInput) that names the nearest id where there is no such evaluation.
const EvaluationInfo& evaluationInfo(const std::string& id);

/// A parameter of the run's evaluation: the value that was given, or the default. None where the evaluation has no such
/// parameter.
std::optional<ParameterValue> evaluationParameter(const RunConfig& config, const std::string& name);

/// Whether the run's protocol holds a prompt whole and compresses it once, rather than pruning from the first token on.
bool holdsPrompt(const RunConfig& config);

/// Tokens that a run reads in all: its depth, or warm + score and what the evaluation's own parameter adds. Shares
/// of a budget refer to it.
std::int64_t contextTokens(const RunConfig& config);

}  // namespace kvist
