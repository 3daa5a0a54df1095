// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace kvist {

/// A random orthogonal matrix [dimensions, dimensions] in float32, uniformly distributed, that follows from the seed
/// and the layer alone.
at::Tensor randomRotation(std::int64_t dimensions, std::uint64_t seed, std::int64_t layer);

/// A matrix [dimensions, dimensions] of normally distributed numbers in float32, likewise, and independent of the
/// rotations.
at::Tensor randomNormal(std::int64_t dimensions, std::uint64_t seed, std::int64_t layer);

}  // namespace kvist
