// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

#include "engine/policies/pruning_policy.h"

namespace kvist {

/// Adds to a column the attention that each entry has received from a chunk, averaged over the query heads of its
/// set. Needs `attentionMass`.
void addReceivedAttention(const LayerObservation& observation, std::size_t column);

}  // namespace kvist
