// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/api/parameter_spec.h"

namespace kvist {

/// What a run measures.
struct EvaluationInfo {
    std::string id;  ///< "perplexity", "speed"
    std::string title;
    std::string summary;       ///< what is measured and how, in one sentence
    bool usesContexts = true;  ///< needs a text with warm and score counts
    bool usesDepths = false;   ///< needs a depth; one run per depth
    bool isTimed = false;      ///< watching must not disturb it
    std::vector<ParameterSpec> parameters;
};

const std::vector<EvaluationInfo>& evaluationCatalog();

/// Throws EngineError(InvalidInput) that names the nearest id where there is no such evaluation.
const EvaluationInfo& evaluationInfo(const std::string& id);

}  // namespace kvist
