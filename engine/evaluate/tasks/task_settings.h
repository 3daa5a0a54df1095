// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "engine/api/run_config.h"

namespace kvist {

/// What a retrieval task is built from.
struct TaskSettings {
    std::string task = "single";  ///< single, multi-key, multi-value, multi-query, variable-tracking
    std::int64_t length = 0;      ///< tokens of context, question and answer together
    std::int64_t answer = 0;      ///< of these, tokens left for the answer
    double depth = -1;            ///< per cent of the haystack before what is asked for; below 0: drawn
    std::int64_t keys = 1;        ///< needles with keys of their own
    std::int64_t values = 1;      ///< values under the key that is asked for
    std::int64_t queries = 1;     ///< keys that are asked for
    std::int64_t hops = 4;        ///< assignments after the first one
    std::int64_t digits = 7;      ///< of a number
    bool asksFirst = false;       ///< the question stands before the context too
    std::string turnBegin = {};   ///< in front of everything, as a chat model wants it
    std::string turnEnd = {};     ///< between the question and what the answer goes on from
    std::uint64_t seed = 0;
};

/// The settings of a run of the evaluation "retrieval", counts resolved as the task uses them.
TaskSettings taskSettings(const RunConfig& config);

}  // namespace kvist
