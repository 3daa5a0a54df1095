// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <initializer_list>

namespace kvist {

/// A number in [0, 1) with the 24 bits of a float that follows from the keys alone, so that the order of work
/// changes nothing (Steele, Lea and Flood 2014, "Fast splittable pseudorandom number generators": SplitMix64).
float keyedRandom(std::initializer_list<std::uint64_t> keys);

}  // namespace kvist
