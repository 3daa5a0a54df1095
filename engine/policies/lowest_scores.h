// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace kvist {

/// Indices, ascending and counted from `offset`, of the `count` lowest scores. Of equal scores the lower index
/// stays. Throws EngineError(Numerical) for NaN scores.
std::vector<std::int32_t> lowestScores(std::span<const float> scores, std::int64_t count, std::int32_t offset);

/// The `count` lowest scores of several lists together: ascending indices into each list, counted from `offset`. Of
/// equal scores the one in the earlier list stays, within a list the lower index. Throws likewise.
std::vector<std::vector<std::int32_t>> lowestOfAll(const std::vector<std::vector<float>>& lists, std::int64_t count,
                                                   std::int32_t offset);

/// All indices in the order in which lowestScores() would take them. Throws likewise.
std::vector<std::int32_t> worstFirst(std::span<const float> scores);

}  // namespace kvist
