// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace kvist {

/// The best 2^bits numbers to stand for one coordinate of a random unit vector in `dimensions` dimensions, ascending
/// (Lloyd 1982 and Max 1960: each is the mean of what is nearest to it). The coordinate's density is proportional to
/// (1 − x²)^((dimensions − 3) / 2). `dimensions` at least 4, `bits` 1 to 8. Computed once for each pair and kept.
const std::vector<float>& sphereCodebook(std::int64_t dimensions, int bits);

/// Index of the nearest number of an ascending codebook; the lower one in the middle.
std::uint32_t nearestCode(const std::vector<float>& codebook, float value);

}  // namespace kvist
