// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "engine/cache/cache_shape.h"
#include "engine/model/decoder.h"
#include "engine/policies/pruning_policy.h"
#include "engine/text/tokenizer.h"

namespace kvist {

/// How a session's cache meets its budget.
enum class SessionProtocol {
    Streamed,           ///< no layer ever holds more than the budget (the article's)
    PrefillThenDecode,  ///< the prompt is held whole and compressed once to the budget when it has ended
};

struct SessionOptions {
    std::int64_t budget = 0;   ///< entries per layer and KV head; unused by policies that never prune
    std::int64_t chunk = 32;   ///< tokens between two prunings; cut to the smallest layer's budget − sinks − 1
    std::int64_t longest = 0;  ///< most tokens that will be fed in all
    SessionProtocol protocol = SessionProtocol::Streamed;
    const Tokenizer* tokenizer = nullptr;  ///< for policies that probe with a text of their own
};

/// True where room is made before each chunk of what follows the prompt, or of everything where all is streamed.
bool prunesEveryChunk(const SessionOptions& options, const PruningPolicy& policy);

/// The longest chunk that leaves every layer its sinks and one entry more. Throws EngineError(InvalidInput) for
/// budgets that leave no chunk, chunks below 1, and policies that cannot be streamed.
std::int64_t chunkFor(const SessionOptions& options, const PruningPolicy& policy, std::int64_t layers);

/// Throws EngineError where a policy asks for compact positions beside what cannot be had with them: InvalidInput for
/// layers with budgets of their own, Internal for heads with entries of their own, attention, queries or extra passes.
void checkPositions(const PruningPolicy& policy, const SessionOptions& options, std::int64_t layers);

/// Extents of the cache. Where heads share a budget, any of them may hold nearly all of it; memory is taken only
/// for what is held.
CacheShape shapeFor(const Decoder& decoder, const SessionOptions& options, const PruningPolicy& policy);

}  // namespace kvist
