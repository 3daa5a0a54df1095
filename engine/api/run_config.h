// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "engine/api/parameter_spec.h"

namespace kvist {

/// More CPU threads than any machine has.
inline constexpr int kMostThreads = 1024;

/// Which model to load and how to hold it.
struct ModelChoice {
    std::string path;             ///< model folder or GGUF file
    std::string device = "auto";  ///< auto, cpu, cuda
    std::string dtype = "auto";   ///< auto, or one of dtypes()
    int threads = 0;              ///< CPU threads; 0: one per core

    bool operator==(const ModelChoice&) const = default;
};

/// How a text file becomes tokens.
enum class Segmentation {
    Lines,  ///< each non-blank line plus two newlines apart, concatenated (the article's protocol)
    Whole,  ///< in one piece
};

struct TextChoice {
    std::string file;
    Segmentation segments = Segmentation::Lines;
    std::string field = {};  ///< of a .jsonl file's objects, the one that holds the text; empty: "text"

    bool operator==(const TextChoice&) const = default;
};

/// One complete measurement: a plain, comparable value with every choice resolved.
struct RunConfig {
    ModelChoice model;
    TextChoice text;  ///< unused by evaluations without a text
    std::string policy = "full";
    ParameterMap policyParameters;
    std::string store;  ///< id of a policy that holds the entries in another form; empty: full precision
    ParameterMap storeParameters;
    std::int64_t budget = 0;  ///< entries per layer and KV head; 0 for policies without one
    std::string evaluation = "perplexity";
    ParameterMap evaluationParameters;
    std::int64_t warm = 0;    ///< tokens whose predictions are not scored (perplexity)
    std::int64_t score = 0;   ///< tokens scored (perplexity)
    std::int64_t depth = 0;   ///< tokens seen before the timed steps (speed)
    std::int64_t chunk = 32;  ///< tokens fed between two prunings
    std::uint64_t seed = 0;
    int repeat = 0;  ///< index of this repetition

    bool operator==(const RunConfig&) const = default;
};

}  // namespace kvist
