// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/policy_catalog.h"
#include "engine/policies/scorer.h"

namespace kvist {

/// The question votes: its queries' mean attention, each query weighted by the number of entries before it, so that
/// later ones, whose attention is spread over more entries, do not count less (Corallo and Papotti 2024,
/// arXiv 2408.00167, section 3). The question is what the prompt marks as one, or else the last tokens.
class FinchScorer : public Scorer {
public:
    static PolicyInfo info();
    static constexpr bool kPerHead = true;

    explicit FinchScorer(const ParameterMap& parameters)
        : m_window(integerOf(parameters, "window")), m_normalises(booleanOf(parameters, "normalise")) {}

    PolicyNeeds needs() const override { return {.queryWindow = m_window}; }
    std::int64_t window() const override { return m_window; }
    at::Tensor scores(const LayerView& view, std::size_t set, const PlanContext& context) const override;

private:
    std::int64_t m_window;
    bool m_normalises;
};

}  // namespace kvist
