// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "engine/model/memory_plan.h"
#include "engine/session/session_options.h"

namespace kvist {

/// Most entries that each layer holds per KV head, on average over its heads; where layers share a budget, on
/// average over all of them. A prompt that is held whole counts with what is generated after it.
std::vector<std::int64_t> mostEntries(const PruningPolicy& policy, const SessionOptions& options, std::int64_t layers,
                                      std::int64_t kvHeads);

/// What a session takes on top of the program itself: weights, the cache in the form in which the policy's store
/// holds it, buffers for the `together` tokens at most that are fed at once.
MemoryPlan planSession(const ModelInfo& model, const Compute& compute, const PruningPolicy& policy,
                       const SessionOptions& options, std::int64_t together);

}  // namespace kvist
