// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "engine/api/model_info.h"
#include "engine/runtime/compute.h"

namespace kvist {

/// Logits are made in blocks of so many elements: 64 MiB in float32.
inline constexpr std::int64_t kLogitBlockElements = std::int64_t{16} << 20;

/// What a run takes on top of the program itself, bytes.
struct MemoryPlan {
    std::int64_t weights = 0;  ///< in the type that is computed in; 0 where they are loaded already
    std::int64_t cache = 0;
    std::int64_t buffers = 0;  ///< of one layer for the tokens that go through it together, and of the logits

    std::int64_t total() const { return weights + cache + buffers; }
};

/// `entries`: most entries that a KV head holds in all layers together, as all of them hold the same. `together`: most
/// tokens that are fed at once.
MemoryPlan planMemory(const ModelInfo& model, const Compute& compute, std::int64_t entries, std::int64_t together);

/// Throws EngineError(OutOfMemory) with all figures and what to do where the plan takes more than `available` bytes,
/// so that the system need not end the program.
void checkMemory(const MemoryPlan& plan, const ModelInfo& model, const Compute& compute, std::int64_t available);

}  // namespace kvist
