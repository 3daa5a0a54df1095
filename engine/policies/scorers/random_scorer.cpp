// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/scorers/random_scorer.h"

#include <ATen/ops/empty.h>

#include "engine/policies/protection.h"

namespace kvist {
namespace {

/// Steele, Lea and Flood 2014, "Fast splittable pseudorandom number generators" (SplitMix64).
std::uint64_t mixed(std::uint64_t value) {
    value += 0x9E3779B97F4A7C15U;
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9U;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EBU;
    return value ^ (value >> 31);
}

/// [0, 1) with the 24 bits of a float.
float uniform(std::uint64_t bits) {
    return static_cast<float>(bits >> 40) * 0x1p-24F;
}

}  // namespace

PolicyInfo RandomScorer::info() {
    return {.id = "random",
            .title = "Random",
            .group = "Positions",
            .summary = "Keeps the first entries (sinks), the most recent ones, and a random sample of the rest.",
            .paper = {},
            .usesBudget = true,
            .isReconstruction = false,
            .parameters = {Protection::sinksParameter(4), Protection::recentParameter(32),
                           Protection::intervalParameter(1)}};
}

at::Tensor RandomScorer::scores(const LayerView& view, std::size_t set, const PlanContext& context) const {
    const std::uint64_t place =
        mixed(mixed(mixed(m_seed) + static_cast<std::uint64_t>(context.layer)) + static_cast<std::uint64_t>(set));
    at::Tensor result = at::empty({1, view.count(set)}, at::kFloat);
    auto* next = result.data_ptr<float>();
    for (std::int64_t entry = 0; entry < view.count(set); ++entry) {
        *next++ = uniform(mixed(place + static_cast<std::uint64_t>(view.position(set, entry))));
    }
    return result;
}

}  // namespace kvist
