// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/policy_catalog.h"
#include "engine/policies/scorer.h"

namespace kvist {

/// A random value for each entry, drawn once from (seed, layer, head, position): what stays is a uniform sample of
/// what was seen, whatever the order of work. The baseline that a score has to beat.
class RandomScorer : public Scorer {
public:
    static PolicyInfo info();
    static constexpr bool kPerHead = true;

    RandomScorer(const ParameterMap&, std::uint64_t seed) : m_seed(seed) {}

    at::Tensor scores(const LayerView& view, std::size_t set, const PlanContext& context) const override;

private:
    std::uint64_t m_seed;
};

}  // namespace kvist
